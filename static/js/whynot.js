// Why a route can't be claimed, told from what the view shows. Help only: what is legal is said by the view alone.

import { cardName, person, phrase } from "./text.js";

/** @typedef {import("./wire.js").View} View */
/** @typedef {import("./wire.js").Route} Route */
/** @typedef {import("./text.js").Phrase} Phrase */

/**
 * @param {View} view
 * @param {Route} route
 * @param {(seat: number) => string} nameOf
 * @returns {Phrase}
 */
export function whyNot(view, route, nameOf) {
  return owned(view, route, nameOf) ?? closed(view, route) ?? short(view, route) ?? notNow(view);
}

/**
 * How many cards are missing from the hand: ferries the route asks for, and cards of the best color.
 *
 * @param {Record<string, number>} hand
 * @param {Route} route
 * @returns {{ferries: number, cards: number}}
 */
export function missing(hand, route) {
  const wild = hand.ferry ?? 0;
  const ferries = Math.max(0, route.ferries - wild);
  const held = route.color ? (hand[route.color] ?? 0) : most(hand);
  return { ferries, cards: Math.max(0, route.length - wild - ferries - held) };
}

/**
 * @param {View} view
 * @param {Route} route
 * @param {(seat: number) => string} nameOf
 */
function owned(view, route, nameOf) {
  const owner = view.owners[route.id];
  if (owner === undefined) return null;
  return owner === view.seat ? phrase("why.yours") : phrase("why.taken", { name: person(nameOf(owner)) });
}

/**
 * @param {View} view
 * @param {Route} route
 */
function closed({ closed, owners, seat }, { id, twin }) {
  if (closed.includes(id)) return phrase("why.closed");
  return twin !== null && seat !== null && owners[twin] === seat ? phrase("why.twin") : null;
}

/**
 * @param {View} view
 * @param {Route} route
 */
function short(view, route) {
  if (view.seat === null) return phrase("why.watching", { n: route.length });
  const cars = route.length - (view.players[view.seat]?.cars ?? 0);
  if (cars > 0) return phrase("why.cars", { n: cars });
  const { ferries, cards } = missing(view.hand, route);
  if (ferries > 0) return phrase("why.ferries", { n: ferries });
  if (cards === 0) return null;
  return route.color
    ? phrase("why.cards", { n: cards, color: cardName(route.color) })
    : phrase("why.any", { n: cards });
}

/** @param {View} view */
function notNow(view) {
  return phrase(view.to_act.some((seat) => seat === view.seat) ? "why.first" : "why.turn");
}

/** @param {Record<string, number>} hand */
function most(hand) {
  return Math.max(0, ...Object.entries(hand).map(([card, n]) => (card === "ferry" ? 0 : n)));
}
