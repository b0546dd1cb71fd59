// Locations and routes in words: "Sunset to Twin Peaks, 4 blue, free".

import { cardName, person, phrase, t } from "../lib/text.js";

/** @typedef {import("../wire.js").Route} Route */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").Board} Board */

/**
 * @param {Board} board
 * @param {string} id
 */
export function placeName(board, id) {
  return board.locations.find((location) => location.id === id)?.name ?? id;
}

/**
 * @param {Board} board
 * @param {string} id
 */
export function routeName(board, id) {
  const route = board.routes.find((candidate) => candidate.id === id);
  return route ? ends(board, route.between) : id;
}

/**
 * @param {Board} board
 * @param {readonly [string, string]} between
 */
export function ends(board, [from, to]) {
  return `${placeName(board, from)} – ${placeName(board, to)}`;
}

/**
 * @param {Board} board
 * @param {Route} route
 */
export function routeTitle(board, { between: [from, to] }) {
  return t("route.name", { from: placeName(board, from), to: placeName(board, to) });
}

/**
 * What a route costs: "4 blue", or "2 of one color, 1 of them a ferry".
 *
 * @param {Route} route
 */
function routePrice({ length, color, ferries }) {
  const cards = color ? t("cards", { n: length, color: cardName(color) }) : t("route.gray", { n: length });
  return ferries ? `${cards}, ${t("route.ferries", { n: ferries })}` : cards;
}

/** @type {WeakMap<Route, string>} the words for a route that never change */
const lasting = new WeakMap();

/**
 * @param {Board} board
 * @param {Route} route
 * @param {View | null} view
 * @param {(seat: number) => string} nameOf
 */
export function routeWords(board, route, view, nameOf) {
  const words = lasting.get(route) ?? `${routeTitle(board, route)}, ${routePrice(route)}`;
  lasting.set(route, words);
  return `${words}, ${state(route, view, nameOf)}`;
}

/**
 * @param {Route} route
 * @param {View | null} view
 * @param {(seat: number) => string} nameOf
 */
function state(route, view, nameOf) {
  const owner = view?.owners[route.id];
  if (owner !== undefined) return t("route.taken", { name: person(nameOf(owner)) });
  if (view && whyClosed(view, route)) return t("route.closed");
  return t(view && route.id in view.legal.claims ? "route.claimable" : "route.free");
}

/**
 * Why a route is closed to all, or to a viewer who owns the other half of it; null if it is not.
 *
 * @param {View} view
 * @param {Route} route
 */
export function whyClosed(view, { id, length }) {
  if (view.closed.includes(id)) return phrase("why.closed");
  return view.unavailable.includes(id) && length <= carsOf(view) ? phrase("why.twin") : null;
}

/** @param {View} view */
export function carsOf({ players, seat }) {
  return players[seat ?? -1]?.cars ?? 0;
}
