// A dialog in which the host bars people from the table and lifts bars.

import "../lib/more-words.js";
import { call } from "../lib/api.js";
import { attempt } from "../lib/attempt.js";
import { h, setAttribute, symbol, updateList } from "../lib/dom.js";
import { person, t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {{player: string, name: string}} Bar */
/** @typedef {{key: string, name: string, whom: {player: string} | {seat: number}}} Guest */

/** Milliseconds after which the lists are drawn again, because people come and go. */
const REFRESH = 1000;

/** @type {Sheet | null} */
let sheet = null;

/** @param {Table} table */
export function openBars(table) {
  sheet ??= new Sheet(table);
  sheet.open();
}

class Sheet {
  /** @type {readonly Bar[]} */
  #bars = [];
  #here = h("ul", { class: "bars-list", "aria-labelledby": "bars-here" });
  #away = h("ul", { class: "bars-list", "aria-labelledby": "bars-away" });
  #nobody = h("p", { class: "bars-none" }, t("bars.none_here"));
  #none = h("p", { class: "bars-none" }, t("bars.none"));
  #trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  #title = h("h2", { id: "bars-title", tabindex: -1 }, t("bars.title"));
  #box = h("dialog", { class: "help", "aria-labelledby": "bars-title" });

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    const shut = { type: "button", class: "round quiet", "aria-label": t("help.close"), title: t("help.close") };
    const close = h("button", shut, symbol("ui-close", "icon"));
    close.addEventListener("click", () => this.#box.close());
    this.#box.addEventListener("click", ({ target }) => target === this.#box && this.#box.close());
    this.#box.append(
      h("header", {}, this.#title, close),
      h("p", {}, t("bars.how")),
      this.#trouble,
      h("h3", { id: "bars-here" }, t("bars.here")),
      this.#here,
      this.#nobody,
      h("h3", { id: "bars-away" }, t("bars.barred")),
      this.#away,
      this.#none,
    );
    document.body.append(this.#box);
  }

  open() {
    this.#draw();
    this.#box.showModal();
    const timer = setInterval(() => this.#draw(), REFRESH);
    this.#box.addEventListener("close", () => clearInterval(timer), { once: true });
    attempt(this.#box, this.#trouble, () => this.#ask("GET", "bars"));
  }

  #draw() {
    const guests = guestsOf(this.table).filter(({ key }) => !this.#bars.some(({ player }) => player === key));
    updateList(
      this.#here,
      guests,
      ({ key }) => key,
      ({ name, whom }) =>
        makeRow(name, t("bars.bar"), t("bars.bar.name", { name: person(name) }), (button) =>
          this.#attempt(button, "POST", "bars", whom),
        ),
    );
    updateList(
      this.#away,
      this.#bars,
      ({ player }) => player,
      ({ player, name }) =>
        makeRow(name, t("bars.lift"), t("bars.lift.name", { name: person(name) }), (button) =>
          this.#attempt(button, "DELETE", `bars/${encodeURIComponent(player)}`),
        ),
    );
    setAttribute(this.#nobody, "hidden", guests.length > 0);
    setAttribute(this.#none, "hidden", this.#bars.length > 0);
  }

  /**
   * @param {HTMLElement} button
   * @param {string} method
   * @param {string} path below the room's
   * @param {object} [body]
   */
  async #attempt(button, method, path, body) {
    await attempt(button, this.#trouble, () => this.#ask(method, path, body));
    if (!button.isConnected) this.#title.focus();
  }

  /**
   * @param {string} method
   * @param {string} path below the room's
   * @param {object} [body]
   */
  async #ask(method, path, body) {
    const { bars } = await call(method, `rooms/${this.table.code}/${path}`, body);
    this.#bars = bars;
    this.#draw();
  }
}

/**
 * Whom the host may bar now: players with a device before the start, and spectators with a name at any time.
 *
 * @param {Table} table
 * @returns {Guest[]}
 */
function guestsOf({ room, seat: own }) {
  const seated = (room?.status === "lobby" ? room.seats : []).filter(
    ({ kind, seat, guardian }) => kind === "human" && seat !== own && guardian === null,
  );
  return [
    ...seated.map(({ seat, name }) => ({ key: `seat ${seat} ${name}`, name, whom: { seat } })),
    ...(room?.watchers ?? []).map(({ player, name }) => ({ key: player, name, whom: { player } })),
  ];
}

/**
 * @param {string} name
 * @param {string} words on the button
 * @param {string} label of the button, with the name
 * @param {(button: HTMLElement) => void} press
 */
function makeRow(name, words, label, press) {
  const button = h("button", { type: "button", class: "action", "aria-label": label }, words);
  button.addEventListener("click", () => press(button));
  return h("li", {}, h("bdi", {}, name), button);
}
