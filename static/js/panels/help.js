// The help: a dialog with the keys, and a mode in which nothing is played and whatever is touched, pointed at or focused says what it does,
// with a link to its clause in the rules.

import "../lib/more-words.js";
import { base } from "../lib/api.js";
import { h, setAttribute, setText, symbol } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** @typedef {{words: string, clause: string}} Topic its words, and its anchor on the page of rules */

/** Keys, and the words for what they do. */
const KEYS = /** @type {const} */ ([
  [["Tab"], "key.tab"],
  [["←", "→", "↑", "↓"], "key.arrows"],
  [["PgUp", "PgDn"], "key.page"],
  [["+", "−", "0"], "key.zoom"],
  [["Shift", "←", "→", "↑", "↓"], "key.pan"],
  [["Enter"], "key.enter"],
  [["Esc"], "key.escape"],
  [["?"], "key.help"],
]);

/** @type {HTMLDialogElement | null} */
let sheet = null;

/** Opens the dialog, or closes it if it is open. */
export function toggleHelp() {
  sheet ??= makeSheet();
  if (sheet.open) sheet.close();
  else sheet.showModal();
}

function makeSheet() {
  const shut = { type: "button", class: "round quiet", "aria-label": t("help.close"), title: t("help.close") };
  const close = h("button", shut, symbol("ui-close", "icon"));
  const ask = h("button", { type: "button", class: "main-action" }, t("help.ask"));
  const leaflet = { class: "action", href: `${base()}rules?table=${document.body.dataset.code}`, target: "_blank" };
  const rules = h("a", leaflet, symbol("ui-book", "icon"), t("help.rules"));
  const made = h(
    "dialog",
    { class: "help", id: "help", "aria-labelledby": "help-title" },
    h("header", {}, h("h2", { id: "help-title" }, t("help.title")), close),
    h("p", {}, t("help.ask.how")),
    h("p", { class: "help-ways" }, ask, rules),
    h("h3", {}, t("help.keys")),
    h(
      "dl",
      { class: "keys" },
      ...KEYS.flatMap(([caps, key]) => [h("dt", {}, ...caps.map((cap) => h("kbd", {}, cap))), h("dd", {}, t(key))]),
    ),
  );
  close.addEventListener("click", () => made.close());
  made.addEventListener("click", ({ target }) => target === made && made.close());
  ask.addEventListener("click", () => {
    made.close();
    askTable();
  });
  document.body.append(made);
  return made;
}

/** What is explained, inner elements before outer ones. */
const TOPICS = /** @type {const} */ ([
  ["#market [id^=slot]", "about.market", "cards"],
  ["#deck", "about.deck", "cards"],
  ["#draw-tickets", "about.draw_tickets", "tickets"],
  ["#hand .card", "about.hand", "claim"],
  [".route", "about.route", "claim"],
  [".location", "about.location", "tokens"],
  ["[data-question=place]", "about.place", "start"],
  ["[data-question=draw]", "about.draw_tickets", "tickets"],
  ["#ask", "about.keep", "scoring"],
  [".ticket", "about.ticket", "scoring"],
  [".player", "about.player", "table"],
  ["#last-turns", "about.last", "end"],
  ["#pass", "about.pass", "turn"],
  ["#banner", "about.banner", "turn"],
  [".points", "about.points", "claim"],
  [".map-tools", "about.zoom", "table"],
  ["#chooser", "about.chooser", "claim"],
  [".log-panel", "about.log", "table"],
  [".result", "about.result", "winner"],
  [".invite", "about.invite", "table"],
  [".seats, .lobby-actions", "about.seats", "start"],
]);
/** What works as usual meanwhile. */
const FREE = ".asking, .answer, .menu, .tab";
const GAP = 10;

/** Begins the mode, until Escape or its button ends it. */
function askTable() {
  if (document.querySelector(".asking")) return;
  new Asking();
}

class Asking {
  #over = new AbortController();
  #done = h("button", { type: "button", class: "action" }, t("help.done"));
  #bar = h("div", { class: "asking", role: "status" }, h("span", {}, t("help.asking")), this.#done);
  #words = h("p");
  #rule = h("a", { target: "_blank" }, t("help.rule"));
  #answer = h("div", { class: "answer", role: "status", hidden: true }, this.#words, this.#rule);
  /** @type {Element | null} */
  #subject = null;

  constructor() {
    const how = { capture: true, signal: this.#over.signal };
    document.body.append(this.#bar, this.#answer);
    document.body.dataset.helping = "";
    this.#done.addEventListener("click", () => this.#end());
    this.#answer.addEventListener("click", () => this.#hush());
    document.addEventListener("pointerdown", (event) => this.#hold(event), how);
    document.addEventListener("click", (event) => this.#hold(event) && this.#tell(event.target), how);
    document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.#tell(event.target), how);
    document.addEventListener("focusin", (event) => this.#tell(event.target), how);
    document.addEventListener("keydown", (event) => this.#press(event), how);
    this.#done.focus();
  }

  /**
   * Stops an event before it can play anything. The board may still be moved.
   *
   * @param {Event} event
   * @returns {boolean} whether its target is to be explained
   */
  #hold(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (!target || target.closest(FREE)) return false;
    if (event.type !== "pointerdown" || !target.closest(".map-sheet")) event.stopImmediatePropagation();
    if (event.type === "click") event.preventDefault();
    return true;
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (event.key === "Escape") this.#end();
    else if (!["Enter", " "].includes(event.key) || !target || target.closest(FREE)) return;
    else if (!this.#answer.hidden) this.#rule.focus();
    event.preventDefault();
    event.stopImmediatePropagation();
  }

  /** @param {EventTarget | null} target */
  #tell(target) {
    if (!(target instanceof Element) || target.closest(FREE)) return;
    const found = TOPICS.find(([selector]) => target.closest(selector));
    const subject = found ? target.closest(found[0]) : null;
    if (subject === this.#subject) return;
    this.#hush();
    if (!found || !subject) return;
    this.#subject = subject;
    subject.classList.add("pointed");
    setAttribute(this.#answer, "hidden", false);
    setText(this.#words, t(found[1]));
    setAttribute(this.#rule, "href", `${base()}rules?table=${document.body.dataset.code}#${found[2]}`);
    this.#place(subject.getBoundingClientRect());
  }

  /** @param {DOMRect} box beside which the answer is placed: below it, else above it, else above the bar */
  #place(box) {
    const { offsetWidth: width, offsetHeight: height } = this.#answer;
    const x = Math.max(GAP, Math.min(innerWidth - width - GAP, box.x + box.width / 2 - width / 2));
    const lowest = this.#bar.getBoundingClientRect().top - height - GAP;
    const [below, above] = [box.bottom + GAP, box.top - height - GAP];
    const y = below <= lowest ? below : above > GAP ? above : lowest;
    this.#answer.style.setProperty("--x", `${x}px`);
    this.#answer.style.setProperty("--y", `${y}px`);
  }

  #hush() {
    this.#subject?.classList.remove("pointed");
    this.#subject = null;
    setAttribute(this.#answer, "hidden", true);
  }

  #end() {
    this.#over.abort();
    this.#hush();
    this.#bar.remove();
    this.#answer.remove();
    delete document.body.dataset.helping;
    document.getElementById("ask-table")?.focus();
  }
}
