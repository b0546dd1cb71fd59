// What is lit on the board for one who looks at a ticket: its two locations, and the path that completes it.

import { cheapestPath } from "./paths.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./paths.js").Path} Path */

/**
 * The cheapest path for an own ticket. Null when it is out of reach, when the ticket is not one's own, or when the room
 * plays without this help.
 *
 * @param {Table} table
 * @param {string | null} id
 * @returns {Path | null}
 */
export function plan({ view, room, board, tickets }, id) {
  const ticket = id === null ? undefined : tickets.get(id);
  const held = view?.tickets.find((own) => own.id === id);
  if (!view || view.seat === null || !ticket || !held?.reachable || room?.options.planner === false) return null;
  return cheapestPath(board, view, view.seat, ticket.between, held.done);
}

/**
 * The ends of the ticket that is looked at, or of all tickets on offer.
 *
 * @param {Table} table
 */
export function litLocations({ view, looked, tickets }) {
  const shown = looked ? [looked] : (view?.offer ?? []);
  return new Set(shown.flatMap((id) => tickets.get(id)?.between ?? []));
}

/**
 * The routes of the path that is looked at.
 *
 * @param {Table} table
 */
export function litRoutes(table) {
  const { view, board, tickets, turned } = table;
  const ticket = turned && tickets.get(turned.ticket);
  if (!view || !turned || !ticket) return new Set(plan(table, table.looked)?.routes);
  return new Set(cheapestPath(board, view, turned.seat, ticket.between, true)?.routes);
}
