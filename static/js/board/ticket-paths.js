// What is lit on the board for a ticket: its two locations, and the cheapest path that completes it.

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").Board} Board */
/** @typedef {import("../wire.js").Route} Route */
/** @typedef {{routes: string[], cars: number}} Path its routes, and how many cars they still cost */
/** @typedef {Path & {end: string}} Reach */

/**
 * The cheapest path for a ticket of this player. Null if there is none, for another ticket, and in a room without the planner.
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
 * The locations of the ticket that is looked at, or of all tickets on offer.
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

/**
 * The path that costs a seat the fewest cars: its own routes are free, available ones cost their length. Among equals, the one with the
 * fewest routes. Null if there is none.
 *
 * @param {Board} board
 * @param {Pick<View, "owners" | "unavailable">} view the seat's own; any view will do for the seat's own routes only
 * @param {number} seat
 * @param {readonly [string, string]} between
 * @param {boolean} [own] whether only the seat's own routes count
 * @returns {Path | null}
 */
export function cheapestPath(board, { owners, unavailable }, seat, [from, to], own = false) {
  /** @type {Map<Route, number>} */
  const costs = new Map();
  for (const route of board.routes) {
    if (owners[route.id] === seat) costs.set(route, 0);
    else if (!own && !(route.id in owners || unavailable.includes(route.id))) costs.set(route, route.length);
  }
  // Dijkstra's algorithm
  /** @type {Reach[]} */
  const edge = [{ end: from, routes: [], cars: 0 }];
  const final = new Set();
  for (let near = nearest(edge); near; near = nearest(edge)) {
    if (near.end === to) return { routes: near.routes, cars: near.cars };
    if (!final.has(near.end)) edge.push(...onward(costs, near));
    final.add(near.end);
  }
  return null;
}

/** @param {Reach[]} edge from which the nearest is removed */
function nearest(edge) {
  edge.sort((one, other) => one.cars - other.cars || one.routes.length - other.routes.length);
  return edge.shift();
}

/**
 * @param {Map<Route, number>} costs
 * @param {Reach} reach
 * @returns {Reach[]}
 */
function onward(costs, { end, routes, cars }) {
  const leaving = [...costs].filter(([{ between }]) => between.includes(end));
  return leaving.map(([{ id, between }, cost]) => ({
    end: between[0] === end ? between[1] : between[0],
    routes: [...routes, id],
    cars: cars + cost,
  }));
}
