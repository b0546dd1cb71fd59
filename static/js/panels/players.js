// The players: names, presence, and what everybody may know about what they hold.

import { byId, h, isNew, setAttribute, setText, symbol, updateList } from "../lib/dom.js";
import { setPhrase } from "../lib/rich-text.js";
import { person, phrase, plain, symbolName, t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").PublicHoldings} PublicHoldings */

/** @param {Table} table */
export function bindPlayers(table) {
  const list = byId("players", HTMLElement);
  const watchers = byId("watchers", HTMLElement);
  setText(byId("players-title", HTMLElement), t("players"));
  return () => {
    const { view, room } = table;
    if (!view || !room) return;
    updateList(
      list,
      view.players,
      ({ seat }) => String(seat),
      makePlayer,
      (element, player) => showPlayer(table, element, player),
    );
    setAttribute(watchers, "hidden", room.spectators === 0);
    setPhrase(watchers, watching(room));
  };
}

/** @param {import("../wire.js").Room} room */
function watching({ spectators, watchers }) {
  const names = { kind: /** @type {const} */ ("list"), items: watchers.map(({ name }) => person(name)) };
  return watchers.length ? phrase("watchers.named", { n: spectators, names }) : phrase("watchers", { n: spectators });
}

/** @param {PublicHoldings} player */
function makePlayer({ seat }) {
  return h(
    "li",
    { class: "player", "data-seat": seat },
    symbol(`car-${seat}`, "player-car"),
    h("bdi", { class: "player-name" }),
    h("span", { class: "points" }),
    h("span", { class: "counts" }, ...["car", "cards", "ticket"].map(countBox), h("span", { class: "presence" })),
    h("span", { class: "tokens" }),
  );
}

/** @param {string} kind */
function countBox(kind) {
  return h("span", { class: `count-${kind}` }, symbol(`ui-${kind}`, "icon"), h("span"));
}

/**
 * @param {Table} table
 * @param {HTMLElement} element
 * @param {PublicHoldings} player
 */
function showPlayer({ view, room, nameOf }, element, player) {
  const seat = room?.seats[player.seat];
  const name = element.querySelector("bdi");
  if (!view || !seat || !name) return;
  const [mine, acts] = [view.seat === player.seat, view.to_act.includes(player.seat)];
  const presence = seat.kind === "bot" ? "bot" : seat.connected ? (mine ? "you" : "here") : "away";
  if (!isNew(element, seat.name, mine, acts, presence, player)) return;
  setText(name, nameOf(player.seat));
  setAttribute(name, "title", nameOf(player.seat));
  setAttribute(element, "aria-current", acts ? "true" : null);
  setAttribute(element, "data-you", mine);
  showPresence(element, presence);
  showNumber(element, ".points", "points", player.points);
  showNumber(element, ".count-car", "count.cars", player.cars);
  showNumber(element, ".count-cards", "count.cards", player.cards);
  showNumber(element, ".count-ticket", "count.tickets", player.tickets);
  showTokens(element, player.tokens);
}

/**
 * @param {HTMLElement} element
 * @param {"bot" | "here" | "you" | "away"} presence
 */
function showPresence(element, presence) {
  const mark = element.querySelector(".presence");
  if (!mark || element.dataset.presence === presence) return;
  element.dataset.presence = presence;
  const word = presence === "here" ? "" : t(`presence.${presence}`);
  const icon = presence === "bot" || presence === "away" ? [symbol(`ui-${presence}`, "icon")] : [];
  mark.replaceChildren(...icon, h("span", {}, word));
  setAttribute(mark, "title", word);
}

/**
 * @param {HTMLElement} element
 * @param {string} selector
 * @param {string} key
 * @param {number} n
 */
function showNumber(element, selector, key, n) {
  const box = element.querySelector(selector);
  const number = box?.querySelector("span") ?? box;
  if (!box || !number || number.textContent === plain(n)) return;
  setText(number, plain(n));
  setAttribute(box, "title", t(key, { n }));
  setAttribute(box, "aria-label", t(key, { n }));
  setAttribute(box, "role", "img");
}

/**
 * @param {HTMLElement} element
 * @param {readonly string[]} tokens
 */
function showTokens(element, tokens) {
  const box = element.querySelector(".tokens");
  if (!box || box.childElementCount === tokens.length) return;
  box.replaceChildren(...tokens.map(badge));
}

/** @param {string} token */
function badge(token) {
  const name = symbolName(token);
  return h("span", { role: "img", "aria-label": name, title: name }, symbol(`token-${token}`, "badge"));
}
