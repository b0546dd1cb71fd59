// Sentences as nodes: names are isolated, cards and tokens have the symbols they have on the board.

import { h, symbol } from "./dom.js";
import { cardName, parts, plain, t } from "./text.js";

/** @typedef {import("./text.js").Phrase} Phrase */
/** @typedef {import("./text.js").Value} Value */

/**
 * @param {Phrase} said
 * @returns {Node[]}
 */
export function nodes({ key, values }) {
  return parts(key, values).flatMap(node);
}

/**
 * Puts a sentence into an element, unless it is there already.
 *
 * @param {HTMLElement} element
 * @param {Phrase | null} said
 */
export function setPhrase(element, said) {
  const text = said ? t(said.key, said.values) : "";
  if (element.dataset.said === text) return;
  element.dataset.said = text;
  element.replaceChildren(...(said ? nodes(said) : []));
}

/**
 * @param {Value} value
 * @returns {Node[]}
 */
function node(value) {
  if (typeof value !== "object") return [document.createTextNode(plain(value))];
  switch (value.kind) {
    case "name":
      return [h("bdi", {}, value.name)];
    case "cards":
      return Object.entries(value.cards).map(([card, n]) => chip(card, n));
    case "symbol":
      return [symbol(`token-${value.symbol}`, "badge"), document.createTextNode(plain(value))];
    case "list":
      return value.items.flatMap((item, index) =>
        index ? [document.createTextNode(", "), ...node(item)] : node(item),
      );
  }
}

/**
 * A small card with its number.
 *
 * @param {string} card
 * @param {number} n
 */
export function chip(card, n) {
  const name = t("cards", { n, color: cardName(card) });
  return h(
    "span",
    { class: "chip", "data-color": card, role: "img", "aria-label": name, title: name },
    symbol(`card-${card}`),
    h("b", {}, n),
  );
}
