// The tabs of small screens. Large screens show all panels and no tabs.

import { byId, setAttribute, setText } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */

/** @param {Table} table */
export function bindTabs(table) {
  const list = byId("tabs", HTMLElement);
  const { tabs, choose } = bindTablist(list, "tab", (name) => t(`tab.${name}`), show);
  let over = false;
  show("hand");

  /** @param {string} name */
  function show(name) {
    document.body.dataset.tab = name;
    choose(name);
  }

  new ResizeObserver(() => {
    const role = list.clientHeight ? "tabpanel" : null;
    for (const panel of document.querySelectorAll("[data-panel]")) setAttribute(panel, "role", role);
  }).observe(list);

  return () => {
    const ended = table.view?.phase === "over";
    const watches = table.seat === null;
    setAttribute(document.body, "data-watching", watches);
    for (const tab of tabs) setAttribute(tab, "hidden", hides(tab.dataset.tab ?? "", ended, watches));
    if (ended && !over) show("scores");
    over = ended;
  };
}

/**
 * Labels the tabs of a list, and lets taps and arrow keys choose among them.
 *
 * @param {HTMLElement} list
 * @param {string} data the data attribute with a tab's name
 * @param {(name: string) => string} words by a tab's name
 * @param {(name: string) => void} show
 */
export function bindTablist(list, data, words, show) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.children]);
  const name = (/** @type {HTMLElement} */ tab) => tab.dataset[data] ?? "";
  for (const tab of tabs) {
    setText(/** @type {Element} */ (tab.lastElementChild), words(name(tab)));
    tab.addEventListener("click", () => show(name(tab)));
  }
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const shown = tabs.filter((tab) => !tab.hidden);
    const at = shown.findIndex((tab) => tab.matches(":focus"));
    const next = step ? shown[(at + step + shown.length) % shown.length] : undefined;
    if (!next) return;
    event.preventDefault();
    show(name(next));
    next.focus();
  });

  /** @param {string} chosen */
  function choose(chosen) {
    for (const tab of tabs) {
      setAttribute(tab, "aria-selected", String(name(tab) === chosen));
      setAttribute(tab, "tabindex", name(tab) === chosen ? 0 : -1);
    }
  }

  return { tabs, choose };
}

/**
 * Before the end there are no scores; after it, scores and log say everything. Spectators have no tickets.
 *
 * @param {string} name
 * @param {boolean} ended
 * @param {boolean} watches
 */
function hides(name, ended, watches) {
  return (watches && name === "tickets") || (name !== "log" && ended !== (name === "scores"));
}
