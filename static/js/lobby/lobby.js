// The lobby: seats, spectators, and the start.

import { call, Refusal } from "../lib/api.js";
import { attempt, wrong } from "../lib/attempt.js";
import { byId, setAttribute, setText, updateList } from "../lib/dom.js";
import { knownName, withName } from "../lib/identity.js";
import { load } from "../lib/lazy.js";
import { join, keepDeal } from "../lib/nonces.js";
import { t } from "../lib/text.js";
import { isMeant, noteShown } from "../table/press-guard.js";
import { bindInvitation } from "./invitation.js";
import { bindWatchers, makeSeat, showSeat } from "./seats.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("./seats.js").Eyes} Eyes */

/** The server's refusal of a start with too few players. */
const TOO_FEW = { code: "not_started", detail: "", reason: "seats_empty" };

/** @param {Table} table */
export function bindLobby(table) {
  const lobby = new Lobby(table);
  bindInvitation(table.code);
  return () => lobby.update();
}

class Lobby {
  #panel = byId("lobby", HTMLElement);
  #seats = byId("seats", HTMLElement);
  #trouble = byId("lobby-trouble", HTMLElement);
  #sit = byId("sit", HTMLFormElement);
  #sitDown = byId("sit-down", HTMLButtonElement);
  #name = byId("sit-name", HTMLInputElement);
  #start = byId("start", HTMLButtonElement);
  #leave = byId("leave", HTMLButtonElement);
  #bars = byId("lobby-bars", HTMLButtonElement);
  #public = byId("public", HTMLInputElement);
  #level = byId("bot-level", HTMLSelectElement);
  /** @type {Promise<void> | null} the nonce that was given or is being sent, for this player's seat */
  #given = null;

  #watchers = bindWatchers({
    ask: (button, player) => this.#attempt(button, () => this.#call("POST", "invitations", { player })),
    accept: (button) => this.#attempt(button, () => this.#join()),
  });

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.#label();
    this.#start.addEventListener("click", () => this.#begin());
    this.#leave.addEventListener("click", () => this.#attempt(this.#leave, () => this.#call("POST", "leave")));
    this.#bars.addEventListener("click", () => this.#openBars());
    this.#public.addEventListener("change", () => this.#offer());
    this.#sit.addEventListener("submit", (event) => {
      event.preventDefault();
      if (this.#name.value.trim()) this.#attempt(this.#sitDown, () => this.#takeSeat());
      else wrong(this.#name, this.#trouble, "wrong.name");
    });
  }

  update() {
    const { room, view, code } = this.table;
    if (view) keepDeal(code, view);
    setAttribute(this.#panel, "hidden", room?.status !== "lobby");
    if (room?.status === "lobby") this.#draw(room, eyesOf(this.table.seat, room));
  }

  /**
   * @param {Room} room
   * @param {Eyes} eyes
   */
  #draw(room, eyes) {
    if (eyes.you === null) this.#given = null;
    else this.#give().catch(() => {});
    const taken = room.seats.filter((seat) => seat.kind).length;
    const free = room.seats.length - taken;
    updateList(
      this.#seats,
      room.seats,
      ({ seat }) => String(seat),
      ({ seat }) =>
        makeSeat(
          seat,
          (bot) => isMeant(`seat-${seat}`) && this.#addBot(bot),
          (button) => isMeant(`seat-${seat}`) && this.#freeSeat(button, seat),
        ),
      (element, seat) => {
        noteShown(`seat-${seat.seat}`, seat.kind);
        showSeat(element, seat, eyes);
      },
    );
    this.#watchers(room, eyes);
    setText(byId("lobby-lead", HTMLElement), t(leadKey(eyes, taken, free), { n: free }));
    setAttribute(this.#panel, "data-role", eyes.you === null ? "visitor" : eyes.rights ? "host" : "guest");
    setAttribute(this.#sit, "hidden", eyes.you !== null || free === 0);
    if (document.activeElement !== this.#name) this.#name.value ||= knownName();
    setAttribute(this.#start, "hidden", !eyes.rights);
    setAttribute(this.#start, "aria-disabled", taken < 2 ? "true" : null);
    setAttribute(this.#leave, "hidden", eyes.you === null);
    setAttribute(this.#bars, "hidden", !eyes.rights);
    setAttribute(byId("public-row", HTMLElement), "hidden", !eyes.rights);
    setAttribute(byId("bot-level-row", HTMLElement), "hidden", !eyes.rights || free === 0);
    if (this.#public.getAttribute("aria-busy") === null) this.#public.checked = room.options.public === true;
  }

  #label() {
    setText(byId("lobby-title", HTMLElement), t("lobby"));
    setText(/** @type {HTMLElement} */ (this.#sit.querySelector("label")), t("name"));
    setText(this.#sitDown, t("lobby.sit"));
    setText(this.#start, t("lobby.start"));
    setText(this.#leave, t("lobby.leave"));
  }

  /**
   * @param {HTMLElement} control
   * @param {() => Promise<unknown>} action
   */
  #attempt(control, action) {
    attempt(control, this.#trouble, action);
  }

  /**
   * @param {string} method
   * @param {string} path below the room's
   * @param {object} [body]
   */
  #call(method, path, body) {
    return call(method, `rooms/${this.table.code}/${path}`, body);
  }

  async #takeSeat() {
    await withName(this.#name.value.trim(), () => this.#join());
  }

  async #join() {
    await this.#give();
    this.table.connection?.renew();
  }

  /** The host gives the nonce here too, because it must come after the commitment. */
  #give() {
    this.#given ??= join(this.table.code).catch((refusal) => {
      this.#given = null;
      throw refusal;
    });
    return this.#given;
  }

  /** The answer may come before the room's next message, so it sets the switch. After a refusal the switch goes back. */
  async #offer() {
    const { table } = this;
    await attempt(this.#public, this.#trouble, async () => {
      const { options } = await call("PATCH", `rooms/${table.code}`, { public: this.#public.checked });
      if (table.room) table.room = { ...table.room, options };
    });
    table.changed();
  }

  async #openBars() {
    (await load("panels/bars").catch(() => null))?.openBars(this.table);
  }

  #begin() {
    const ready = this.#start.getAttribute("aria-disabled") !== "true";
    this.#attempt(this.#start, async () => {
      if (!ready) throw new Refusal(TOO_FEW);
      await this.#give();
      await this.#call("POST", "start");
    });
  }

  /** @param {HTMLElement} button */
  #addBot(button) {
    this.#attempt(button, () => this.#call("POST", "bots", { level: this.#level.value }));
  }

  /**
   * @param {HTMLElement} button
   * @param {number} seat
   */
  #freeSeat(button, seat) {
    this.#attempt(button, () => this.#call("DELETE", `seats/${seat}`));
  }
}

/**
 * What the lobby shows depends on who looks.
 *
 * @param {number | null} you
 * @param {Room} room
 * @returns {Eyes}
 */
function eyesOf(you, { host }) {
  return { you, host, rights: you !== null && host === you };
}

/**
 * @param {Eyes} eyes
 * @param {number} taken
 * @param {number} free
 */
function leadKey({ you, rights }, taken, free) {
  if (you === null) return free ? "lobby.visitor" : "lobby.full";
  if (!rights) return "lobby.guest";
  if (taken < 2) return "lobby.host.alone";
  return free ? "lobby.host" : "lobby.host.full";
}
