// The chooser by a route: the legal payments, the souvenir where there is a choice, and one tap that confirms.

import { claimAction, putBack } from "./act.js";
import { beside } from "./board.js";
import { byId, h, setAttribute, setText, show, symbol } from "./dom.js";
import { chip } from "./rich.js";
import { routeTitle } from "./routewords.js";
import { plain, symbolName, t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */

/** @param {Table} table */
export function bindChooser(table) {
  const glass = byId("map", HTMLElement);
  const form = byId("chooser", HTMLFormElement);
  const title = byId("chooser-title", HTMLElement);
  const payments = byId("chooser-payments", HTMLFieldSetElement);
  const tokens = byId("chooser-tokens", HTMLFieldSetElement);
  const claim = byId("chooser-claim", HTMLButtonElement);
  const close = byId("chooser-close", HTMLButtonElement);
  setText(/** @type {HTMLElement} */ (payments.firstElementChild), t("chooser.payment"));
  setText(/** @type {HTMLElement} */ (tokens.firstElementChild), t("chooser.token"));
  setAttribute(close, "aria-label", t("put_back"));
  setAttribute(form, "aria-labelledby", title.id);
  let shown = "";

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (table.view) table.act(claimAction(table.view, table.selection), "claim");
  });
  form.addEventListener("change", (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    table.select({ ...table.selection, ...(name === "payment" ? { payment: Number(value) } : { token: value }) });
  });
  close.addEventListener("click", () => leave());
  glass.addEventListener("mapmoved", () => place());
  document.addEventListener(
    "pointerdown",
    (event) => isOutside(event.target) && table.select(putBack(table.selection)),
  );
  document.addEventListener("keydown", (event) => event.key === "Escape" && leave());

  function leave() {
    const { route, card } = table.selection;
    if (table.sending || (!route && !card && !table.selection.tickets)) return;
    table.select(putBack(table.selection));
    if (route) routeElement(route)?.focus();
  }

  /** @param {EventTarget | null} target */
  function isOutside(target) {
    if (!table.selection.route || table.sending || !(target instanceof Element)) return false;
    return !target.closest("#chooser, .card, .map-tools, .theme-switch");
  }

  function place() {
    if (table.selection.route) beside(form, routeElement(table.selection.route) ?? undefined, glass);
  }

  /** Draws the choices anew only when they are others, so that the focus stays where it is. */
  function fill() {
    const { route } = table.selection;
    const open = route ? table.view?.legal.claims[route] : undefined;
    const known = route ? table.routes.get(route) : undefined;
    const now = open ? `${route} ${JSON.stringify(open)}` : "";
    if (now === shown) return;
    show(form, open !== undefined, routeElement(shown.split(" ")[0] ?? ""));
    shown = now;
    if (!open || !known) return;
    setText(title, routeTitle(table.board, known));
    refill(
      payments,
      open.payments.map((payment, index) => paymentChoice(payment, index)),
    );
    refill(tokens, open.tokens.map(tokenChoice));
    setAttribute(tokens, "hidden", open.tokens.length === 0);
    place();
    form.querySelector("input")?.focus({ preventScroll: true });
  }

  return () => {
    fill();
    const { view, selection, sending } = table;
    setAttribute(claim, "aria-busy", sending === "claim" ? "true" : null);
    if (!view || !selection.route) return;
    check(form, "payment", String(selection.payment));
    check(form, "token", selection.token);
    const ready = claimAction(view, selection) !== null;
    const points = table.board.route_points[table.routes.get(selection.route)?.length ?? 0] ?? 0;
    setText(claim, ready ? t("chooser.claim", { n: points }) : t("chooser.pick_token"));
    setAttribute(claim, "aria-disabled", ready ? null : "true");
    setAttribute(payments, "disabled", sending === "claim");
    setAttribute(tokens, "disabled", sending === "claim");
  };
}

/**
 * @param {Record<string, number>} payment
 * @param {number} index
 */
function paymentChoice(payment, index) {
  return choice(
    "payment",
    String(index),
    plain({ kind: "cards", cards: payment }),
    Object.entries(payment).map(([card, n]) => chip(card, n)),
  );
}

/** @param {string} token */
function tokenChoice(token) {
  return choice("token", token, symbolName(token), [symbol(`token-${token}`, "badge"), symbolName(token)]);
}

/**
 * @param {string} name
 * @param {string} value
 * @param {string} label
 * @param {(Node | string)[]} face
 */
function choice(name, value, label, face) {
  return h(
    "label",
    { class: "choice" },
    h("input", { type: "radio", name, value, "aria-label": label }),
    h("span", {}, ...face),
  );
}

/**
 * @param {HTMLFieldSetElement} fieldset
 * @param {HTMLElement[]} choices
 */
function refill(fieldset, choices) {
  fieldset.replaceChildren(.../** @type {Node[]} */ ([fieldset.firstElementChild, ...choices]));
}

/**
 * @param {HTMLFormElement} form
 * @param {string} name
 * @param {string | null} value
 */
function check(form, name, value) {
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`input[name="${name}"]`))) {
    input.checked = input.value === value;
  }
}

/** @param {string} route */
function routeElement(route) {
  return /** @type {SVGElement | null} */ (document.getElementById(`route-${route}`));
}
