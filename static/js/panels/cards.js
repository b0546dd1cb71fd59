// The market (five open cards, the deck, the tickets to draw) and this player's hand. A tap on a color of the hand lights what it can claim.

import { byId, h, isNew, setAttribute, setText, symbol } from "../lib/dom.js";
import { cardName, t } from "../lib/text.js";
import { shows } from "../table/press-guard.js";
import { claimable, NOTHING, pickCard } from "../table/selection.js";

/** @typedef {import("../table/table.js").Table} Table */

const SLOTS = [0, 1, 2, 3, 4];

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
      shows(`slot-${slot}`, view.market[slot]);
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
