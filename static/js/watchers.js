// Those who watch the lobby: listed for all, asked by the host to take a free seat, and how that looks to who is asked.

import { byId, h, keep, setAttribute, setText, show } from "./dom.js";
import { say } from "./rich.js";
import { person, phrase, t } from "./text.js";

/** @typedef {import("./wire.js").Room} Room */
/** @typedef {import("./wire.js").WatcherView} WatcherView */
/** @typedef {import("./seats.js").Eyes} Eyes */
/** @typedef {{ask: (button: HTMLElement, player: string) => void, accept: (button: HTMLElement) => void}} Does */

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
    keep(
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
  say(byId("asked-by", HTMLElement), me?.asked ? phrase("asked.by", { name: person(name) }) : null);
}
