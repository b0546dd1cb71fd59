// The board: owners of routes, what may be claimed or placed, and the lit locations of tickets.

import { byId, isNew, setAttribute, setText } from "../lib/dom.js";
import { symbolName, t } from "../lib/text.js";
import { claimable } from "../table/selection.js";
import { placeName, routeWords, whyClosed } from "./route-words.js";
import { litLocations, litRoutes } from "./ticket-paths.js";
import { Touch } from "./touch.js";

/** @typedef {import("../table/table.js").Table} Table */

/** @param {Table} table */
export function bindBoard(table) {
  const glass = byId("map", HTMLElement);
  const svg = /** @type {SVGSVGElement} */ (glass.querySelector("svg.board"));
  const [routes, locations, stacks] = [elements(svg, "g.route"), elements(svg, "g.location"), elements(svg, "g.stack")];
  setText(byId("map-title", HTMLElement), t("map.title", { board: table.board.name }));
  for (const element of routes.values()) setAttribute(element, "role", "button");
  const touch = new Touch(table, svg, glass);

  return () => {
    const { view, selection } = table;
    if (!view) return;
    touch.update();
    drawRoutes(table, routes);
    drawLocations(table, locations);
    drawStacks(table, stacks);
    svg.classList.toggle("resting", selection.card !== null || selection.route !== null);
    keepOneStop([...routes.values()], view.legal.place === null);
    keepOneStop([...locations.values()], view.legal.place !== null);
  };
}

/**
 * @param {Table} table
 * @param {Map<string, SVGElement>} routes
 */
function drawRoutes(table, routes) {
  const { view, board, selection, routes: known, nameOf } = table;
  if (!view) return;
  const open = new Set(selection.route ? [] : claimable(view, selection.card));
  const path = litRoutes(table);
  const network = table.turned?.seat ?? table.network;
  for (const [id, element] of routes) {
    const route = known.get(id);
    const owner = view.owners[id];
    const looks = {
      claimable: open.has(id),
      dimmed: network !== null && owner !== network,
      "on-path": path.has(id),
      selected: selection.route === id,
      closed: Boolean(route && whyClosed(view, route)),
      mine: owner !== undefined && owner === view.seat,
    };
    const said = owner === undefined ? id in view.legal.claims : nameOf(owner);
    if (!route || !isNew(element, owner, said, ...Object.values(looks))) continue;
    setOwner(element, owner);
    setAttribute(element, "aria-label", routeWords(board, route, view, nameOf));
    for (const [look, has] of Object.entries(looks)) element.classList.toggle(look, has);
  }
}

/**
 * @param {SVGElement} route
 * @param {number | undefined} owner
 */
function setOwner(route, owner) {
  if (route.dataset.owner === owner?.toString()) return;
  const cars = /** @type {Element} */ (route.querySelector(".cars"));
  setAttribute(route, "data-owner", owner);
  setAttribute(cars, "marker-start", owner === undefined ? null : `url(#on-car-${owner})`);
}

/**
 * @param {Table} table
 * @param {Map<string, SVGElement>} locations
 */
function drawLocations(table, locations) {
  const lit = litLocations(table);
  const open = table.view?.legal.place?.locations ?? [];
  for (const [id, element] of locations) {
    const placeable = open.includes(id);
    const busy = table.sending === `place-${id}`;
    if (!isNew(element, placeable, busy, lit.has(id))) continue;
    element.classList.toggle("ticket-end", lit.has(id));
    element.classList.toggle("placeable", placeable);
    setAttribute(element, "role", placeable ? "button" : "img");
    setAttribute(
      element,
      "aria-label",
      t(placeable ? "location.place" : "location", { place: placeName(table.board, id) }),
    );
    setAttribute(element, "aria-busy", busy ? "true" : null);
  }
}

/**
 * @param {Table} table
 * @param {Map<string, SVGElement>} stacks
 */
function drawStacks({ view, board }, stacks) {
  for (const [id, element] of stacks) {
    const stack = view?.stacks[id];
    if (!isNew(element, stack?.symbol, stack?.left)) continue;
    setAttribute(element, "data-symbol", stack?.symbol);
    if (!stack) continue;
    const [badge, left] = [element.querySelector("use"), element.querySelector(".left")];
    if (badge) setAttribute(badge, "href", `#token-${stack.symbol}`);
    if (left) setText(left, String(stack.left));
    element.classList.toggle("empty", stack.left === 0);
    setAttribute(element, "role", "img");
    setAttribute(
      element,
      "aria-label",
      t("stack", { n: stack.left, token: symbolName(stack.symbol), place: placeName(board, id) }),
    );
  }
}

/**
 * Keeps one element of a group in the tab order; arrow keys lead to the others.
 *
 * @param {SVGElement[]} stops
 * @param {boolean} reachable
 */
function keepOneStop(stops, reachable) {
  const current = stops.find((stop) => stop.getAttribute("tabindex") === "0");
  const wanted = reachable
    ? (current ?? stops.find((stop) => stop.matches(".claimable, .placeable")) ?? stops[0])
    : undefined;
  for (const stop of stops) setAttribute(stop, "tabindex", stop === wanted ? 0 : -1);
}

/**
 * @param {SVGSVGElement} svg
 * @param {string} selector
 * @returns {Map<string, SVGElement>}
 */
function elements(svg, selector) {
  const all = /** @type {NodeListOf<SVGElement>} */ (svg.querySelectorAll(selector));
  return new Map([...all].map((element) => [element.dataset.route ?? element.dataset.location ?? "", element]));
}
