// The form beside a route: the legal payments, the token if there is a choice, and the button that claims.

import { byId, h, placeBeside, setAttribute, setText, show, symbol } from "../lib/dom.js";
import { chip } from "../lib/rich-text.js";
import { plain, symbolName, t } from "../lib/text.js";
import { noteShown } from "../table/press-guard.js";
import { claimAction, putBack } from "../table/selection.js";
import { routeTitle } from "./route-words.js";

/** @typedef {import("../table/table.js").Table} Table */

/** A press outside of these closes the chooser. The map may be moved; taps on it are handled separately. */
const INSIDE = "#chooser, .card, .map-sheet, .map-tools, .menu";

/** @param {Table} table */
export function bindChooser(table) {
  const chooser = new Chooser(table);
  return () => chooser.update();
}

class Chooser {
  #glass = byId("map", HTMLElement);
  #form = byId("chooser", HTMLFormElement);
  #title = byId("chooser-title", HTMLElement);
  #payments = byId("chooser-payments", HTMLFieldSetElement);
  #tokens = byId("chooser-tokens", HTMLFieldSetElement);
  #claim = byId("chooser-claim", HTMLButtonElement);
  /** What the choices were made from. They are made again only when it changes, so that the focus stays. */
  #shown = "";

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.#label();
    this.#form.addEventListener("submit", (event) => this.#send(event));
    this.#form.addEventListener("change", (event) => this.#choose(event.target));
    this.#glass.addEventListener("mapmoved", () => this.#place());
    byId("chooser-close", HTMLButtonElement).addEventListener("click", () => this.#leave());
    byId("map-sheet", HTMLElement).addEventListener("click", (event) => this.#tappedMap(event.target));
    document.addEventListener("pointerdown", (event) => this.#touchedOutside(event.target));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#leave());
  }

  update() {
    this.#fill();
    const { view, selection, sending, board, routes } = this.table;
    setAttribute(this.#claim, "aria-busy", sending === "claim" ? "true" : null);
    if (!view || !selection.route) return;
    check(this.#form, "payment", String(selection.payment));
    check(this.#form, "token", selection.token);
    const ready = claimAction(view, selection) !== null;
    const points = board.route_points[routes.get(selection.route)?.length ?? 0] ?? 0;
    setText(this.#claim, ready ? t("chooser.claim", { n: points }) : t("chooser.pick_token"));
    setAttribute(this.#claim, "aria-disabled", ready ? null : "true");
  }

  #label() {
    setText(/** @type {HTMLElement} */ (this.#payments.firstElementChild), t("chooser.payment"));
    setText(/** @type {HTMLElement} */ (this.#tokens.firstElementChild), t("chooser.token"));
    setAttribute(byId("chooser-close", HTMLElement), "aria-label", t("put_back"));
    setAttribute(this.#form, "aria-labelledby", this.#title.id);
  }

  #fill() {
    const { selection, view, routes, board } = this.table;
    const route = selection.route ? routes.get(selection.route) : undefined;
    const open = route ? view?.legal.claims[route.id] : undefined;
    const now = route && open ? `${route.id} ${JSON.stringify(open)}` : "";
    noteShown("claim", now);
    if (now === this.#shown) return;
    show(this.#form, now !== "", document.getElementById(`route-${this.#shown.split(" ")[0]}`));
    this.#shown = now;
    if (!open || !route) return;
    setText(this.#title, routeTitle(board, route));
    refill(this.#payments, open.payments.map(paymentChoice));
    refill(this.#tokens, open.tokens.map(tokenChoice));
    setAttribute(this.#tokens, "hidden", open.tokens.length === 0);
    this.#place();
    this.#form.querySelector("input")?.focus({ preventScroll: true });
  }

  #place() {
    const { route } = this.table.selection;
    if (route) placeBeside(this.#form, `route-${route}`, this.#glass);
  }

  /** @param {Event} event */
  #send(event) {
    event.preventDefault();
    const { view, selection } = this.table;
    if (view) this.table.act(claimAction(view, selection), "claim");
  }

  /** @param {EventTarget | null} target */
  #choose(target) {
    const { name, value } = /** @type {HTMLInputElement} */ (target);
    const choice = name === "payment" ? { payment: Number(value) } : { token: value };
    const { selection, sending } = this.table;
    this.table.select(sending ? selection : { ...selection, ...choice });
  }

  #leave() {
    const { selection, sending } = this.table;
    if (sending || (!selection.route && !selection.card && !selection.tickets)) return;
    this.table.select(putBack(selection));
  }

  /** @param {EventTarget | null} target */
  #touchedOutside(target) {
    if (target instanceof Element && !target.closest(INSIDE)) this.#close();
  }

  /** @param {EventTarget | null} target of a tap, which has already picked a route that may be claimed */
  #tappedMap(target) {
    const route = target instanceof Element && target.closest("[data-route]")?.getAttribute("data-route");
    if (route !== this.table.selection.route) this.#close();
  }

  #close() {
    const { selection, sending } = this.table;
    if (selection.route && !sending) this.table.select(putBack(selection));
  }
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
