// The board: owners, what may be claimed or placed, lit tickets; a tap on a route or a location.

import { claimable, pickRoute, placeAction } from "./act.js";
import { byId, setAttribute, setText } from "./dom.js";
import { placeName } from "./events.js";
import { say } from "./rich.js";
import { routeWords } from "./routewords.js";
import { symbolName, t } from "./text.js";
import { whyNot } from "./whynot.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function bindBoard(table) {
  const glass = byId("map", HTMLElement);
  const hint = byId("hint", HTMLElement);
  const svg = /** @type {SVGSVGElement} */ (glass.querySelector("svg.board"));
  const routes = elements(svg, "g.route");
  const locations = elements(svg, "g.location");
  const stacks = elements(svg, "g.stack");
  setText(byId("map-title", HTMLElement), t("map.title", { board: table.board.name }));
  for (const element of [...routes.values(), ...locations.values()]) setAttribute(element, "tabindex", -1);
  for (const element of routes.values()) setAttribute(element, "role", "button");

  svg.addEventListener("click", (event) => tap(event.target));
  svg.addEventListener("keydown", (event) => press(event));
  svg.addEventListener("pointerover", (event) => event.pointerType === "mouse" && hover(event.target));
  svg.addEventListener("pointerleave", () => setAttribute(hint, "hidden", true));
  glass.addEventListener("mapmoved", () => setAttribute(hint, "hidden", true));

  /** @param {EventTarget | null} target */
  function tap(target) {
    const { route, location } = found(target);
    if (location && table.view?.legal.place)
      table.act(placeAction(table.view, table.selection, location), `place-${location}`);
    else if (route && table.view && route in table.view.legal.claims) pick(route);
    else if (route) explain(route);
  }

  /** @param {string} route */
  function pick(route) {
    setAttribute(hint, "hidden", true);
    if (table.view && !table.sending) table.select(pickRoute(table.view, table.selection, route));
  }

  /** @param {EventTarget | null} target */
  function hover(target) {
    const { route } = found(target);
    if (route && table.view && !table.selection.route && !(route in table.view.legal.claims)) explain(route);
    else setAttribute(hint, "hidden", true);
  }

  /** @param {string} id */
  function explain(id) {
    const route = table.routes.get(id);
    if (!route || !table.view) return;
    say(hint, whyNot(table.view, table.board, route, table.nameOf));
    setAttribute(hint, "hidden", false);
    beside(hint, routes.get(id), glass);
  }

  /** @param {KeyboardEvent} event */
  function press(event) {
    if (event.key === "Enter" || event.key === " ") tap(event.target);
    else if (!rove(event.key)) return;
    event.preventDefault();
  }

  /** @param {string} key */
  function rove(key) {
    const step = /** @type {Record<string, number>} */ ({ ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 })[
      key
    ];
    const stops = [...(table.view?.legal.place ? locations : routes).values()];
    const open = stops.filter((stop) => stop.matches(".claimable, .placeable"));
    const paged = /** @type {Record<string, number>} */ ({ PageDown: 1, PageUp: -1 })[key];
    if (step) return focus(stops, step);
    if (paged && open.length) return focus(open, paged);
    return false;
  }

  /**
   * @param {SVGElement[]} stops
   * @param {number} step
   */
  function focus(stops, step) {
    const at = stops.findIndex((stop) => stop.matches(":focus"));
    const next = stops[(at + step + stops.length) % stops.length];
    for (const stop of stops) setAttribute(stop, "tabindex", stop === next ? 0 : -1);
    next?.focus();
    return true;
  }

  function update() {
    const { view, selection } = table;
    if (!view) return;
    drawRoutes(table, routes);
    drawLocations(table, locations);
    drawStacks(table, stacks);
    svg.classList.toggle("resting", selection.card !== null || selection.route !== null);
    keepOneStop([...routes.values()], view.legal.place === null);
    keepOneStop([...locations.values()], view.legal.place !== null);
  }

  return update;
}

/**
 * Puts something beside a route, inside the glass: right of it, else left of it, else over its lower end.
 *
 * @param {HTMLElement} element
 * @param {Element | undefined} route
 * @param {HTMLElement} glass
 */
export function beside(element, route, glass) {
  if (!route) return;
  const [box, room] = [route.getBoundingClientRect(), glass.getBoundingClientRect()];
  const { offsetWidth: width, offsetHeight: height } = element;
  const right = box.right - room.left + 32;
  const left = box.left - room.left - width - 32;
  const x = right + width < room.width ? right : left > 0 ? left : room.width - width - 8;
  const y = Math.min(room.height - height - 8, Math.max(8, box.top - room.top + box.height / 2 - height / 2));
  element.style.setProperty("--x", `${Math.max(8, x)}px`);
  element.style.setProperty("--y", `${Math.max(8, y)}px`);
}

/**
 * @param {Table} table
 * @param {Map<string, SVGElement>} routes
 */
function drawRoutes({ view, board, selection, routes: known, nameOf }, routes) {
  if (!view) return;
  const open = new Set(selection.route ? [] : claimable(view, selection.card));
  for (const [id, element] of routes) {
    const route = known.get(id);
    if (!route) continue;
    setAttribute(element, "data-owner", view.owners[id]);
    setAttribute(element, "aria-label", routeWords(board, route, view, nameOf));
    element.classList.toggle("claimable", open.has(id));
    element.classList.toggle("selected", selection.route === id);
    element.classList.toggle("closed", view.closed.includes(id));
    element.classList.toggle("mine", view.owners[id] !== undefined && view.owners[id] === view.seat);
  }
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
    element.classList.toggle("ticket-end", lit.has(id));
    element.classList.toggle("placeable", placeable);
    setAttribute(element, "role", placeable ? "button" : "img");
    setAttribute(
      element,
      "aria-label",
      t(placeable ? "location.place" : "location", { place: placeName(table.board, id) }),
    );
    setAttribute(element, "aria-busy", table.sending === `place-${id}` ? "true" : null);
  }
}

/**
 * The ends of the ticket that is touched, or of all tickets on offer.
 *
 * @param {Table} table
 */
function litLocations({ view, ticket, tickets }) {
  const shown = ticket ? [ticket] : (view?.offer ?? []);
  return new Set(shown.flatMap((id) => tickets.get(id)?.between ?? []));
}

/**
 * @param {Table} table
 * @param {Map<string, SVGElement>} stacks
 */
function drawStacks({ view, board }, stacks) {
  for (const [id, element] of stacks) {
    const stack = view?.stacks[id];
    setAttribute(element, "data-symbol", stack?.symbol);
    if (!stack) continue;
    element.querySelector("use")?.setAttribute("href", `#token-${stack.symbol}`);
    const left = element.querySelector(".left");
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
 * One element of a group can be reached by the Tab key, the others by arrows.
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

/** @param {EventTarget | null} target */
function found(target) {
  const element = target instanceof Element ? target.closest("[data-route], [data-location]") : null;
  return { route: element?.getAttribute("data-route"), location: element?.getAttribute("data-location") };
}
