// The seats in the lobby.

import { h, setAttribute, setText, show, symbol } from "./dom.js";
import { person, t } from "./text.js";

/** @typedef {import("./wire.js").SeatView} SeatView */
/** @typedef {{you: number | null, host: number | null, rights: boolean}} Eyes who looks, and whether they are the host */
/** @typedef {(button: HTMLElement) => void} Press */

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
export function showSeat(element, { seat, name, kind, connected }, { you, host, rights }) {
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
