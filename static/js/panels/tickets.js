// This player's destination tickets: to do, done, or out of reach. Looking at one lights its locations and its cheapest path.

import { placeName } from "../board/route-words.js";
import { plan } from "../board/ticket-paths.js";
import { byId, h, setAttribute, setText, symbol, updateList } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").TicketView} TicketView */

/** @param {Table} table */
export function bindTickets(table) {
  const list = byId("tickets", HTMLElement);
  const empty = byId("tickets-empty", HTMLElement);
  setText(byId("tickets-title", HTMLElement), t("tickets"));
  setText(empty, t("tickets.none"));
  const cost = byId("plan", HTMLElement);

  /** @param {TicketView} ticket */
  function make({ id }) {
    const button = h(
      "button",
      { type: "button", class: "ticket" },
      ...ticketFace(table, id),
      h("span", { class: "ticket-state" }),
    );
    button.addEventListener("click", () => table.light(table.ticket === id ? null : id));
    button.addEventListener("focus", () => button.matches(":focus-visible") && table.glanceAt(id));
    button.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && table.glanceAt(id));
    for (const leaving of ["blur", "pointerleave"]) button.addEventListener(leaving, () => table.glanceAt(null));
    return h("li", {}, button);
  }

  return () => {
    const { view } = table;
    if (!view) return;
    setText(cost, planWords(table));
    setAttribute(empty, "hidden", view.tickets.length > 0 || view.seat === null);
    updateList(
      list,
      view.tickets,
      ({ id }) => id,
      make,
      (element, ticket) => showState(table, element, ticket),
    );
  };
}

/**
 * What the ticket that is looked at still costs. Empty without one, and in a room without the planner.
 *
 * @param {Table} table
 */
function planWords(table) {
  const held = table.view?.tickets.find(({ id }) => id === table.looked);
  if (!held || table.room?.options.planner === false) return "";
  const path = plan(table, held.id);
  return path?.cars ? t("plan.cars", { n: path.cars }) : t(path ? "ticket.done" : "ticket.lost");
}

/**
 * What is printed on a ticket.
 *
 * @param {Table} table
 * @param {string} id
 */
export function ticketFace({ board, tickets }, id) {
  const ticket = tickets.get(id);
  const [from, to] = ticket?.between.map((place) => placeName(board, place)) ?? [];
  return [
    h("span", { class: "ticket-points" }, ticket?.points),
    h("span", { class: "ticket-places" }, h("span", {}, from), h("span", {}, to)),
  ];
}

/**
 * @param {Table} table
 * @param {HTMLElement} element
 * @param {TicketView} ticket
 */
function showState(table, element, { id, done, reachable }) {
  const state = done ? "done" : reachable ? "todo" : "lost";
  const button = element.firstElementChild;
  const mark = element.querySelector(".ticket-state");
  if (!button || !mark) return;
  setAttribute(button, "aria-pressed", table.ticket === id ? "true" : "false");
  if (button.getAttribute("data-state") === state) return;
  setAttribute(button, "data-state", state);
  setAttribute(mark, "title", t(`ticket.${state}`));
  const word = h("span", {}, t(`ticket.${state}`));
  mark.replaceChildren(symbol(state === "done" ? "ui-check" : state === "todo" ? "ui-map" : "ui-close", "icon"), word);
}
