// Drags a color of the hand onto a route, by mouse or finger. Dropped elsewhere, or with Escape, it goes back to the hand.

import { byId, h, symbol } from "../lib/dom.js";
import { NOTHING, pickCard, pickRoute } from "../table/selection.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {{card: string, x: number, y: number, pointer: number, ghost: HTMLElement | null}} Held */

const SLACK = 8;
/** Distances from the pointer at which a route is searched, because fingers are imprecise. */
const NEAR = [0, 12, 24];
const SIDES = [
  [0, -1],
  [1, 0],
  [-1, 0],
  [0, 1],
];

export class CardDrag {
  #list = byId("hand", HTMLElement);
  /** @type {Held | null} */
  #held = null;
  #dragged = false;
  /** @type {Element | null} */
  #aim = null;

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.#list.addEventListener("pointerdown", (event) => this.#take(event));
    this.#list.addEventListener("click", (event) => this.#dragged && event.stopPropagation(), { capture: true });
    this.#list.addEventListener("dragstart", (event) => event.preventDefault());
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#drop(event));
    addEventListener("pointercancel", (event) => event.pointerId === this.#held?.pointer && this.#putBack());
    addEventListener("keydown", (event) => event.key === "Escape" && this.#escape(event), { capture: true });
  }

  /** @param {PointerEvent} event */
  #take({ target, clientX, clientY, pointerId, isPrimary, button }) {
    const place = target instanceof Element ? target.closest(".card:not([aria-disabled])") : null;
    const card = place?.getAttribute("data-color");
    if (!isPrimary || this.#held) return;
    this.#dragged = false;
    if (card && button === 0) this.#held = { card, x: clientX, y: clientY, pointer: pointerId, ghost: null };
  }

  /** @param {PointerEvent} event */
  #move({ clientX, clientY, pointerId }) {
    const held = this.#held;
    if (held?.pointer !== pointerId) return;
    if (!held.ghost && Math.hypot(clientX - held.x, clientY - held.y) < SLACK) return;
    held.ghost ??= this.#begin(held.card);
    held.ghost.style.transform = `translate(${clientX}px, ${clientY}px) translate(-50%, -130%)`;
    this.#aimAt(routeNear(clientX, clientY));
  }

  /** @param {string} card */
  #begin(card) {
    this.#dragged = true;
    const ghost = h("span", { class: "card flying dragged", "data-color": card }, symbol(`card-${card}`));
    document.body.append(ghost);
    document.body.dataset.dragging = "";
    this.table.select(pickCard(NOTHING, card));
    return ghost;
  }

  /** @param {PointerEvent} event */
  #drop({ pointerId }) {
    if (this.#held?.pointer !== pointerId) return;
    const { card, ghost } = this.#held;
    const route = this.#aim?.getAttribute("data-route");
    const { view, sending } = this.table;
    if (!ghost) this.#held = null;
    else if (!route || !view || sending) this.#putBack();
    else {
      this.#end();
      this.table.select(pickRoute(view, { ...NOTHING, card }, route));
    }
  }

  /** @param {KeyboardEvent} event */
  #escape(event) {
    if (!this.#held?.ghost) return;
    event.stopPropagation();
    this.#putBack();
  }

  #putBack() {
    if (this.#held?.ghost) this.table.select(NOTHING);
    this.#end();
  }

  #end() {
    this.#held?.ghost?.remove();
    this.#held = null;
    this.#aimAt(null);
    delete document.body.dataset.dragging;
  }

  /** @param {Element | null} route */
  #aimAt(route) {
    if (this.#aim === route) return;
    this.#aim?.classList.remove("aimed");
    route?.classList.add("aimed");
    this.#aim = route;
  }
}

/**
 * The claimable route at a point of the page, or close to it.
 *
 * @param {number} x
 * @param {number} y
 */
function routeNear(x, y) {
  const points = NEAR.flatMap((far) => SIDES.map(([across = 0, down = 0]) => [x + across * far, y + down * far]));
  const found = points.map(([left = 0, top = 0]) => document.elementFromPoint(left, top)?.closest(".route.claimable"));
  return found.find((route) => route) ?? null;
}
