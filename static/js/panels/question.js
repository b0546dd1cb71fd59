// The question beside the map: which tickets to keep, which token to place, or whether to draw tickets.

import { byId, h, setAttribute, setText, show, symbol, updateList } from "../lib/dom.js";
import { symbolName, t } from "../lib/text.js";
import { noteShown } from "../table/press-guard.js";
import { keepAction, markTicket, NOTHING } from "../table/selection.js";
import { ticketFace } from "./tickets.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {"keep" | "place" | "draw"} Question */

/** @param {Table} table */
export function bindQuestion(table) {
  const panel = byId("ask", HTMLElement);
  const choices = byId("ask-choices", HTMLElement);
  const confirm = byId("ask-confirm", HTMLButtonElement);
  const cancel = byId("ask-cancel", HTMLButtonElement);
  const trouble = byId("trouble", HTMLElement);
  setText(cancel, t("put_back"));
  cancel.addEventListener("click", () => table.select(NOTHING));
  confirm.addEventListener("click", () => send(table));

  return () => {
    const question = asked(table);
    setAttribute(trouble, "hidden", !table.trouble);
    setText(trouble, table.trouble ?? "");
    setAttribute(document.body, "data-asking", question);
    show(panel, question !== null, byId("banner", HTMLElement));
    const isNew = question !== null && panel.dataset.question !== question;
    noteShown("ask", `${question} ${table.view?.legal.keep?.from}`);
    setAttribute(panel, "data-question", question);
    setAttribute(confirm, "aria-busy", table.sending === "ask" ? "true" : null);
    if (!question || !table.view) return;
    setText(byId("ask-title", HTMLElement), t(`ask.${question}`));
    setText(
      byId("ask-help", HTMLElement),
      t(`ask.${question}.help`, { n: table.view.legal.keep?.from.length ?? table.view.unplaced.length }),
    );
    updateList(
      choices,
      options(table, question),
      (id) => id,
      (id) => option(table, id),
      (element, id) => mark(table, element, id),
    );
    setAttribute(confirm, "hidden", question === "place");
    setAttribute(cancel, "hidden", question !== "draw");
    const ready = question === "draw" || keepAction(table.view, table.selection) !== null;
    setText(confirm, t(ready ? `ask.${question}.confirm` : "ask.keep.none", { n: table.selection.keep.length }));
    setAttribute(confirm, "aria-disabled", ready ? null : "true");
    if (isNew) queueMicrotask(() => panel.scrollIntoView({ block: "nearest" })); // after the other parts are drawn
  };
}

/**
 * @param {Table} table
 * @returns {Question | null}
 */
function asked({ view, selection }) {
  if (view?.legal.keep) return "keep";
  if (view?.legal.place) return "place";
  return selection.tickets ? "draw" : null;
}

/** @param {Table} table */
function send(table) {
  if (!table.view) return;
  table.act(asked(table) === "draw" ? { type: "draw_tickets" } : keepAction(table.view, table.selection), "ask");
}

/**
 * @param {Table} table
 * @param {Question} question
 */
function options({ view }, question) {
  if (question === "keep") return view?.legal.keep?.from ?? [];
  return question === "place" ? (view?.legal.place?.symbols ?? []) : [];
}

/**
 * @param {Table} table
 * @param {string} id of a ticket or a token
 */
function option(table, id) {
  const isTicket = table.tickets.has(id);
  const face = isTicket
    ? [...ticketFace(table, id), symbol("ui-check", "icon tick")]
    : [symbol(`token-${id}`, "badge"), symbolName(id)];
  const button = h("button", { type: "button", class: isTicket ? "ticket" : "souvenir" }, ...face);
  button.addEventListener("click", () => pick(table, id));
  button.addEventListener("pointerenter", ({ pointerType }) => isTicket && pointerType === "mouse" && table.light(id));
  button.addEventListener("pointerleave", () => isTicket && table.light(null));
  return h("li", {}, button);
}

/**
 * @param {Table} table
 * @param {string} id
 */
function pick(table, id) {
  if (table.sending) return;
  table.select(table.tickets.has(id) ? markTicket(table.selection, id) : { ...table.selection, token: id });
}

/**
 * @param {Table} table
 * @param {HTMLElement} element
 * @param {string} id
 */
function mark({ selection }, element, id) {
  const pressed = selection.keep.includes(id) || selection.token === id;
  if (element.firstElementChild) setAttribute(element.firstElementChild, "aria-pressed", String(pressed));
}
