// The market: five open cards, the deck, and the destination tickets to draw.

import { NOTHING } from "./act.js";
import { cardButton, showCard } from "./cards.js";
import { byId, h, setText } from "./dom.js";
import { shows } from "./press.js";
import { cardName, t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */

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
