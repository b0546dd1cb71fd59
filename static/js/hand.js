// The own hand: one place for each kind of card. A tap on a color lights what it can claim.

import { claimable, pickCard } from "./act.js";
import { cardButton, showCard } from "./cards.js";
import { byId, h, setAttribute, setText } from "./dom.js";
import { cardName, t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */

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
