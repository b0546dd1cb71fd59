// The cheapest path between two locations: pure, over the board's data and who owns what.

/** @typedef {import("./wire.js").View} View */
/** @typedef {import("./wire.js").Board} Board */
/** @typedef {import("./wire.js").Route} Route */
/** @typedef {{routes: string[], cars: number}} Path its routes, and how many cars they still cost */
/** @typedef {Path & {end: string}} Reach */

/**
 * The path that costs a seat the fewest cars: own routes are free, open ones cost their length. Of equal ones it is the
 * one with fewer routes. Null when there is none, however many cars there are.
 *
 * @param {Board} board
 * @param {Pick<View, "owners" | "closed">} view
 * @param {number} seat
 * @param {readonly [string, string]} between
 * @param {boolean} [own] by own routes only
 * @returns {Path | null}
 */
export function cheapestPath(board, { owners, closed }, seat, [from, to], own = false) {
  const mine = board.routes.filter(({ id }) => owners[id] === seat);
  const barred = new Set([...closed, ...mine.map(({ twin }) => twin)]);
  const open = board.routes.filter(({ id }) => !own && owners[id] === undefined && !barred.has(id));
  /** @type {Map<Route, number>} */
  const costs = new Map(open.map((route) => [route, route.length]));
  for (const route of mine) costs.set(route, 0);
  return walk(costs, from, to);
}

/**
 * Dijkstra's way: the nearest end that was reached is final, and its routes lead on from there.
 *
 * @param {Map<Route, number>} costs
 * @param {string} from
 * @param {string} to
 * @returns {Path | null}
 */
function walk(costs, from, to) {
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

/** @param {Reach[]} edge of which the nearest is taken out */
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
