// The people in the lobby: the seats, and the spectators, whom the host may offer a seat.

import { byId, h, setAttribute, setText, show, symbol, updateList } from "../lib/dom.js";
import { setPhrase } from "../lib/rich-text.js";
import { person, phrase, t } from "../lib/text.js";

/** @typedef {import("../wire.js").SeatView} SeatView */
/** @typedef {{you: number | null, host: number | null, rights: boolean}} Eyes the seat of who looks, that of the host, and whether they are the same */
/** @typedef {(button: HTMLElement) => void} Press */
/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").WatcherView} WatcherView */
/** @typedef {{ask: (button: HTMLElement, player: string) => void, accept: (button: HTMLElement) => void}} Does */

/**
 * @param {number} seat
 * @param {Press} addBot
 * @param {Press} freeSeat
 */
export function makeSeat(seat, addBot, freeSeat) {
  const bot = h("button", { type: "button", class: "action seat-bot" }, symbol("ui-bot", "icon"), t("lobby.bot"));
  const free = h("button", { type: "button", class: "round quiet seat-free" }, symbol("ui-close", "icon"));
  bot.addEventListener("click", () => addBot(bot));
  free.addEventListener("click", () => freeSeat(free));
  const name = h("span", { class: "seat-name" }, h("bdi"), h("span", { class: "presence" }));
  return h("li", { class: "seat", "data-seat": seat }, symbol(`car-${seat}`, "player-car"), name, bot, free);
}

/**
 * @param {HTMLElement} element
 * @param {SeatView} seat
 * @param {Eyes} eyes
 */
export function showSeat(element, { seat, name, kind, level, connected }, { you, host, rights }) {
  const shown = element.querySelector("bdi");
  const presence = element.querySelector(".presence");
  const [bot, free] = /** @type {HTMLElement[]} */ ([...element.querySelectorAll("button")]);
  if (!shown || !presence || !bot || !free) return;
  setAttribute(element, "data-kind", kind ?? "free");
  setText(shown, kind ? name : t("lobby.free"));
  const marks = [
    seat === host && t("lobby.is_host"),
    seat === you && t("presence.you"),
    kind === "bot" && t("presence.bot"),
    level && nameOf(level),
    kind === "human" && !connected && t("presence.away"),
  ];
  setText(presence, marks.filter(Boolean).join(" · "));
  const [fillable, freeable] = [kind === null && rights, kind !== null && rights && seat !== you];
  if (freeable) setAttribute(free, "hidden", false);
  show(bot, fillable, freeable ? free : null);
  show(free, freeable, bot);
  setAttribute(free, "title", t("lobby.remove"));
  setAttribute(free, "aria-label", t("lobby.remove.name", { name: person(name) }));
}

/**
 * The choice of levels has their names; one that is not offered any more has none.
 *
 * @param {string} level
 */
function nameOf(level) {
  return [...byId("bot-level", HTMLSelectElement).options].find(({ value }) => value === level)?.text ?? "";
}

/**
 * @param {Does} does
 * @returns {(room: Room, eyes: Eyes) => void}
 */
export function bindWatchers({ ask, accept }) {
  const box = byId("lobby-watchers", HTMLElement);
  const title = byId("watchers-title", HTMLElement);
  const list = byId("watchers-list", HTMLElement);
  const asked = byId("asked", HTMLElement);
  const sit = byId("asked-sit", HTMLButtonElement);
  setText(sit, t("asked.sit"));
  sit.addEventListener("click", () => accept(sit));

  return (room, eyes) => {
    const free = room.seats.some(({ kind }) => kind === null);
    const others = room.spectators > (eyes.you === null ? 1 : 0) || eyes.rights;
    setAttribute(box, "hidden", room.spectators === 0 || !others);
    setText(title, t("watchers", { n: room.spectators }));
    updateList(
      list,
      room.watchers,
      ({ player }) => player,
      ({ player }) => makeWatcher((button) => ask(button, player)),
      (element, watcher) => showWatcher(element, watcher, eyes.rights && free),
    );
    showAsked(asked, room, eyes.you === null && free);
  };
}

/** @param {(button: HTMLElement) => void} ask */
function makeWatcher(ask) {
  const button = h("button", { type: "button", class: "action watcher-ask" });
  button.addEventListener("click", () => ask(button));
  return h("li", { class: "watcher" }, h("bdi"), h("span", { class: "presence" }), button);
}

/**
 * @param {HTMLElement} element
 * @param {WatcherView} watcher
 * @param {boolean} mayAsk
 */
function showWatcher(element, { player, name, asked }, mayAsk) {
  const [shown, mark, button] = element.children;
  if (!shown || !mark || !button) return;
  setText(shown, name);
  setText(mark, player === document.body.dataset.me ? t("presence.you") : asked ? t("asked.already") : "");
  setText(button, t("asked.ask"));
  setAttribute(button, "aria-label", t("asked.ask.name", { name: person(name) }));
  setAttribute(button, "hidden", !mayAsk || asked);
}

/**
 * @param {HTMLElement} box
 * @param {Room} room
 * @param {boolean} maySit
 */
function showAsked(box, { watchers, seats, host }, maySit) {
  const me = watchers.find(({ player }) => player === document.body.dataset.me);
  const name = host === null ? "" : (seats[host]?.name ?? "");
  show(box, maySit && me?.asked === true, byId("lobby-title", HTMLElement));
  setPhrase(byId("asked-by", HTMLElement), me?.asked ? phrase("asked.by", { name: person(name) }) : null);
}
