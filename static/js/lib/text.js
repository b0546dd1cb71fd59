// The words of the page by their keys: `t` gives plain text, `parts` a text whose parameters are drawn.

import { load } from "./lazy.js";

/** @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} Entry a sentence, or one for each plural form of `n` */
/** @typedef {Record<string, Entry>} Catalog */
/**
 * A parameter of a sentence: a person's name, cards, a token, a list of these, or plain text.
 *
 * @typedef {{kind: "name", name: string}
 *   | {kind: "cards", cards: Record<string, number>}
 *   | {kind: "symbol", symbol: string}
 *   | {kind: "list", items: Value[]}} Part
 */
/** @typedef {string | number | Part} Value */
/** @typedef {Record<string, Value>} Values */
/** @typedef {{key: string, values: Values}} Phrase */

export const LANGUAGE = document.documentElement.lang || "en";
const { words } = await load(`words/${LANGUAGE}`);
const catalog = { ...words };
const plurals = new Intl.PluralRules(LANGUAGE);
const lists = new Intl.ListFormat(LANGUAGE, { type: "conjunction" });
const numbers = new Intl.NumberFormat(LANGUAGE);

/**
 * @param {string} key
 * @param {Values} [values]
 * @returns {Phrase}
 */
export function phrase(key, values = {}) {
  return { key, values };
}

/** @param {Catalog} more words that were loaded later */
export function learn(more) {
  Object.assign(catalog, more);
}

/** @param {string} key */
export function knows(key) {
  return key in catalog;
}

/**
 * The text for a key; `{name}` in it is replaced by `values.name`.
 *
 * @param {string} key
 * @param {Values} [values]
 * @returns {string}
 */
export function t(key, values = {}) {
  return parts(key, values).map(plain).join("");
}

/**
 * The text for a key in pieces: strings, and the values between them.
 *
 * @param {string} key
 * @param {Values} [values]
 * @returns {Value[]}
 */
export function parts(key, values = {}) {
  return sentence(key, values)
    .split(/\{(\w+)\}/)
    .map((piece, index) => (index % 2 ? (values[piece] ?? `{${piece}}`) : piece))
    .filter((piece) => piece !== "");
}

/**
 * A value as plain text. Names are isolated, so that their direction doesn't affect the sentence.
 *
 * @param {Value} value
 * @returns {string}
 */
export function plain(value) {
  if (typeof value === "string") return value;
  if (typeof value === "number") return written(value);
  switch (value.kind) {
    case "name":
      return `\u2068${value.name}\u2069`;
    case "cards":
      return lists.format(Object.entries(value.cards).map(([card, n]) => t("cards", { n, color: cardName(card) })));
    case "symbol":
      return symbolName(value.symbol);
    case "list":
      return lists.format(value.items.map(plain));
  }
}

/** @param {number} n */
export function signed(n) {
  return n > 0 ? `+${written(n)}` : written(n);
}

/** @param {number} n */
function written(n) {
  return numbers.format(n).replace("-", "\u2212");
}

/** @param {string} card */
export function cardName(card) {
  return named("card", card);
}

/** @param {string} symbol */
export function symbolName(symbol) {
  return named("symbol", symbol);
}

/**
 * @param {string} name
 * @returns {Part}
 */
export function person(name) {
  return { kind: "name", name };
}

/**
 * A word of the catalog. Ids of other boards, which the catalog doesn't know, are shown as words.
 *
 * @param {string} family
 * @param {string} id
 */
function named(family, id) {
  const key = `${family}.${id}`;
  return knows(key) ? t(key) : id.replaceAll("-", " ");
}

/**
 * @param {string} key
 * @param {Values} values
 */
function sentence(key, values) {
  const entry = catalog[key];
  if (entry === undefined) return key;
  if (typeof entry === "string") return entry;
  const n = typeof values.n === "number" ? values.n : 0;
  return entry[plurals.select(n)] ?? entry.other ?? key;
}
