// The tabs of the sheet on small screens. Large screens show all panels and no tabs.

import { byId, h, setAttribute, symbol } from "./dom.js";
import { t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */

const TABS = ["scores", "hand", "tickets", "players", "log"];
const ICONS = /** @type {Record<string, string>} */ ({ hand: "cards", tickets: "ticket", scores: "trophy" });

/** @param {Table} table */
export function bindTabs(table) {
  const list = byId("tabs", HTMLElement);
  const tabs = TABS.map((name) => makeTab(name, () => show(name)));
  list.append(...tabs);
  let over = false;
  show("hand");

  /** @param {string} name */
  function show(name) {
    document.body.dataset.tab = name;
    for (const tab of tabs) {
      const chosen = tab.dataset.tab === name;
      setAttribute(tab, "aria-selected", String(chosen));
      setAttribute(tab, "tabindex", chosen ? 0 : -1);
    }
  }

  followArrows(list, tabs, (tab) => show(tab.dataset.tab ?? "hand"));

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
 * Lets the arrow keys go from tab to tab.
 *
 * @param {HTMLElement} list
 * @param {readonly HTMLElement[]} tabs
 * @param {(tab: HTMLElement) => void} show
 */
export function followArrows(list, tabs, show) {
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const shown = tabs.filter((tab) => !tab.hidden);
    const at = shown.findIndex((tab) => tab.matches(":focus"));
    const next = step ? shown[(at + step + shown.length) % shown.length] : undefined;
    if (!next) return;
    event.preventDefault();
    show(next);
    next.focus();
  });
}

/**
 * Before the end there are no scores, and after it they tell everything but the log. Who watches has no tickets.
 *
 * @param {string} name
 * @param {boolean} ended
 * @param {boolean} watches
 */
function hides(name, ended, watches) {
  return (watches && name === "tickets") || (name !== "log" && ended !== (name === "scores"));
}

/**
 * @param {string} name
 * @param {() => void} chosen
 */
function makeTab(name, chosen) {
  const attributes = { type: "button", role: "tab", class: "tab", "data-tab": name, tabindex: -1 };
  const tab = h("button", attributes, symbol(`ui-${ICONS[name] ?? name}`, "icon"), h("span", {}, t(`tab.${name}`)));
  tab.addEventListener("click", chosen);
  return tab;
}
