// The market (five open cards, the deck, the tickets to draw) and this player's hand. A tap on a color of the hand lights what it can claim;
// dragged onto a route, by mouse or finger, it opens the route's chooser. Dropped elsewhere, or with Escape, it goes back to the hand.

import { byId, h, isNew, setAttribute, setText, symbol } from "../lib/dom.js";
import { cardName, t } from "../lib/text.js";
import { noteShown } from "../table/press-guard.js";
import { claimable, NOTHING, pickCard, pickRoute } from "../table/selection.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {{card: string, x: number, y: number, pointer: number, ghost: HTMLElement | null}} Held */

const SLOTS = [0, 1, 2, 3, 4];
/** Pixels that a pointer may move in a tap. */
const SLACK = 8;
/** Distances from the pointer at which a route is searched, because fingers are imprecise. */
const NEAR = [0, 12, 24];
const SIDES = [
  [0, -1],
  [1, 0],
  [-1, 0],
  [0, 1],
];

/** @param {Table} table */
export function bindMarket(table) {
  const list = byId("market", HTMLElement);
  setText(byId("market-title", HTMLElement), t("market"));
  const slots = SLOTS.map((slot) => cardButton(() => table.act({ type: "draw_card", slot }, `slot-${slot}`)));
  const deck = cardButton(() => table.act({ type: "draw_card", slot: null }, "deck"));
  const tickets = cardButton(() => table.select({ ...NOTHING, tickets: true }));
  slots.forEach((button, slot) => {
    button.id = `slot-${slot}`;
  });
  deck.id = "deck";
  tickets.id = "draw-tickets";
  deck.classList.add("pile");
  tickets.classList.add("pile", "ticket-pile");
  list.append(...[...slots, deck, tickets].map((button) => h("li", {}, button)));

  return () => {
    const { view } = table;
    if (!view) return;
    slots.forEach((button, slot) => {
      noteShown(`slot-${slot}`, view.market[slot]);
      showCard(button, openCard(table, slot));
    });
    showCard(deck, {
      face: view.deck ? "deck" : null,
      icon: "ui-fogline",
      label: t("deck.label", { n: view.deck }),
      count: view.deck,
      open: view.legal.draw.deck,
      busy: table.sending === "deck",
    });
    showCard(tickets, {
      face: view.ticket_deck ? "tickets" : null,
      icon: "ui-ticket",
      label: t("ticket_deck.label", { n: view.ticket_deck }),
      count: view.ticket_deck,
      open: view.legal.draw_tickets,
      busy: table.sending === "draw-tickets",
    });
  };
}

/**
 * @param {Table} table
 * @param {number} slot
 */
function openCard({ view, sending }, slot) {
  const face = view?.market[slot] ?? null;
  const open = view?.legal.draw.slots.includes(slot) ?? false;
  const label = face ? t(open ? "market.take" : "market.card", { color: cardName(face) }) : t("market.empty");
  return { face, icon: `card-${face}`, label, count: null, open, busy: sending === `slot-${slot}` };
}

/** @param {Table} table */
export function bindHand(table) {
  const list = byId("hand", HTMLElement);
  const title = byId("hand-title", HTMLElement);
  const cards = [...table.board.colors, "ferry"].map((card) => ({
    card,
    button: cardButton(() => table.select(pickCard(table.selection, card))),
  }));
  list.append(...cards.map(({ button }) => h("li", {}, button)));
  new CardDrag(table);

  return () => {
    const { view, selection } = table;
    if (!view) return;
    const all = Object.values(view.hand).reduce((sum, n) => sum + n, 0);
    setText(title, view.seat === null ? t("hand") : t("hand.count", { n: all }));
    for (const { card, button } of cards) {
      const count = view.hand[card] ?? 0;
      const routes = claimable(view, card).length;
      const label = t(routes ? "hand.pick" : "hand.card", { n: count, color: cardName(card), routes });
      showCard(button, {
        face: card,
        icon: `card-${card}`,
        label,
        count,
        open: routes > 0 && !table.sending,
        busy: false,
      });
      setAttribute(button, "data-held", count > 0);
      setAttribute(button, "aria-pressed", selection.card === card ? "true" : "false");
    }
  };
}

/**
 * A card as a button. `showCard` gives it its face.
 *
 * @param {() => void} pressed
 */
function cardButton(pressed) {
  const button = h("button", { type: "button", class: "card" }, symbol(""), h("span", { class: "count" }));
  button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && pressed());
  return button;
}

/**
 * @param {HTMLElement} button
 * @param {{face: string | null, icon: string, label: string, count: number | null, open: boolean, busy: boolean}} card
 */
function showCard(button, { face, icon, label, count, open, busy }) {
  if (!isNew(button, face, label, count, open, busy)) return;
  setAttribute(button, "data-color", face);
  setAttribute(button, "aria-label", label);
  setAttribute(button, "title", label);
  setAttribute(button, "aria-disabled", open ? null : "true");
  setAttribute(button, "aria-busy", busy ? "true" : null);
  const use = button.querySelector("use");
  if (use) setAttribute(use, "href", face ? `#${icon}` : null);
  const number = button.querySelector(".count");
  if (number) setText(number, count === null ? "" : String(count));
}

class CardDrag {
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
