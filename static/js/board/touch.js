// Taps, pointers and keys on the board: they pick a route, say why it can't be claimed, or place a stack. The explanations are help only:
// what is legal is said by the view alone.

import { byId, placeBeside, setAttribute } from "../lib/dom.js";
import { setPhrase } from "../lib/rich-text.js";
import { cardName, person, phrase } from "../lib/text.js";
import { isMeant, noteShown } from "../table/press-guard.js";
import { pickRoute, placeAction } from "../table/selection.js";
import { carsOf, whyClosed } from "./route-words.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").Route} Route */
/** @typedef {import("../lib/text.js").Phrase} Phrase */

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
/** @type {Record<string, number>} to the next one that may be claimed or placed on */
const LEAPS = { PageDown: 1, PageUp: -1 };
const OPEN = ".claimable, .placeable";

export class Touch {
  #version = 0;

  /**
   * @param {Table} table
   * @param {SVGSVGElement} svg
   * @param {HTMLElement} glass
   */
  constructor(table, svg, glass) {
    this.table = table;
    this.svg = svg;
    this.glass = glass;
    this.hint = byId("hint", HTMLElement);
    svg.addEventListener("click", (event) => this.#tap(event.target));
    svg.addEventListener("keydown", (event) => this.#press(event));
    svg.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#hover(event.target));
    svg.addEventListener("pointerleave", () => this.#hush());
    glass.addEventListener("mapmoved", () => this.#hush());
    document.addEventListener("pointerdown", () => this.#hush());
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#hush());
  }

  /** A move may have made the explanation wrong. */
  update() {
    const version = this.table.view?.version ?? 0;
    if (version !== this.#version) this.#hush();
    noteShown("place", this.table.view?.legal.place != null);
    this.#version = version;
  }

  /** @param {EventTarget | null} target */
  #tap(target) {
    const { view, selection } = this.table;
    const { route, location } = found(target);
    if (!view) return;
    if (location && view.legal.place) this.#place(view, placeAction(view, selection, location), location);
    else if (route && route in view.legal.claims) this.#pick(route);
    else if (route) this.#explain(route);
  }

  /**
   * @param {import("../wire.js").View} view
   * @param {import("../wire.js").Action | null} action null while no stack is picked, or if the location is taken
   * @param {string} location
   */
  #place(view, action, location) {
    if (action && !isMeant("place")) return;
    if (action) this.table.act(action, `place-${location}`);
    else this.#say(phrase("do.place.help", { n: view.unplaced.length }), `location-${location}`);
  }

  /** @param {string} route */
  #pick(route) {
    this.#hush();
    const { view, selection, sending } = this.table;
    if (view && !sending) this.table.select(pickRoute(view, selection, route));
  }

  /** @param {EventTarget | null} target */
  #hover(target) {
    const { view, selection } = this.table;
    const { route } = found(target);
    if (route && view && !selection.route && !(route in view.legal.claims)) this.#explain(route);
    else this.#hush();
  }

  /** @param {string} id */
  #explain(id) {
    const { view, routes, nameOf } = this.table;
    const route = routes.get(id);
    if (route && view) this.#say(whyNot(view, route, nameOf), `route-${id}`);
  }

  /**
   * @param {import("../lib/text.js").Phrase} words
   * @param {string} id of the element beside which they are shown
   */
  #say(words, id) {
    setPhrase(this.hint, words);
    setAttribute(this.hint, "hidden", false);
    placeBeside(this.hint, id, this.glass);
  }

  #hush() {
    setAttribute(this.hint, "hidden", true);
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    if (event.key === "Enter" || event.key === " ") this.#tap(event.target);
    else if (event.shiftKey || !this.#rove(event.key)) return;
    event.preventDefault();
  }

  /**
   * Moves the focus along the routes, or along the locations while a stack must be placed.
   *
   * @param {string} key
   */
  #rove(key) {
    const kind = this.table.view?.legal.place ? "g.location" : "g.route";
    const stops = /** @type {SVGElement[]} */ ([...this.svg.querySelectorAll(kind)]);
    const step = STEPS[key] ?? LEAPS[key];
    const reached = key in LEAPS ? stops.filter((stop) => stop.matches(OPEN)) : stops;
    if (!step || !reached.length) return false;
    const at = reached.findIndex((stop) => stop.matches(":focus"));
    const next = reached[(at + step + reached.length) % reached.length];
    for (const stop of stops) setAttribute(stop, "tabindex", stop === next ? 0 : -1);
    next?.focus({ preventScroll: true });
    return true;
  }
}

/** @param {EventTarget | null} target */
function found(target) {
  const element = target instanceof Element ? target.closest("[data-route], [data-location]") : null;
  return { route: element?.getAttribute("data-route"), location: element?.getAttribute("data-location") };
}

/**
 * @param {View} view
 * @param {Route} route
 * @param {(seat: number) => string} nameOf
 * @returns {Phrase}
 */
export function whyNot(view, route, nameOf) {
  return owned(view, route, nameOf) ?? whyClosed(view, route) ?? short(view, route) ?? notNow(view);
}

/**
 * The cards that are missing from a hand: ferries that the route requires, and cards of the best color.
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
function short(view, route) {
  if (view.seat === null) return phrase("why.watching", { n: route.length });
  const cars = route.length - carsOf(view);
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
