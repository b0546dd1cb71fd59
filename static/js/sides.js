// Log and talk share one panel. What the talk needs comes when somebody has said something, or wants to.

import { byId, h, setAttribute, setText } from "./dom.js";
import { followArrows } from "./tabs.js";
import { t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./wire.js").Said} Said */
/** @typedef {"log" | Said["talk"]} Side */
/** @typedef {{hear: (lines: readonly Said[], isNew: boolean) => void, update: () => void}} Talk */

/** @type {Side[]} */
const SIDES = ["log", "players", "spectators"];

/** @param {Table} table */
export function bindSides(table) {
  const panel = byId("panel-log", HTMLElement);
  const list = byId("sides", HTMLElement);
  const tabs = SIDES.map((side) => makeSide(side, () => show(side)));
  /** @type {[readonly Said[], boolean][]} what was heard before the talk was there */
  let heard = [];
  let audible = false;
  /** @type {Talk | null} */
  let talk = null;
  let wanted = false;
  list.append(...tabs);
  setAttribute(list, "aria-label", t("tab.log"));
  followArrows(list, tabs, (tab) => show(/** @type {Side} */ (tab.dataset.side)));
  show("log");

  /** @param {Side} side */
  function show(side) {
    panel.dataset.side = side;
    for (const tab of tabs) {
      setAttribute(tab, "aria-selected", String(tab.dataset.side === side));
      setAttribute(tab, "tabindex", tab.dataset.side === side ? 0 : -1);
    }
    if (side !== "log") wake();
    talk?.update();
  }

  function wake() {
    if (wanted) return;
    wanted = true;
    load().catch(() => {
      wanted = false;
    });
  }

  async function load() {
    talk = (await import("./talk.js")).bindTalk(table, panel);
    for (const [lines, isNew] of heard) talk.hear(lines, isNew);
    heard = [];
    talk.update();
  }

  /**
   * @param {readonly Said[]} lines
   * @param {boolean} isNew whether they have been said just now
   */
  function hear(lines, isNew) {
    audible ||= lines.some((line) => line.talk === "spectators");
    if (isNew && table.room?.status === "lobby" && panel.dataset.side === "log") show(table.circle);
    if (talk) talk.hear(lines, isNew);
    else heard.push([lines, isNew]);
    wake();
    table.changed();
  }

  function update() {
    const watched = audible || table.circle === "spectators" || (table.room?.spectators ?? 0) > 0;
    for (const tab of tabs) {
      const { side } = tab.dataset;
      setAttribute(tab, "hidden", (side === "spectators" && !watched) || (side === "log" && !table.view));
    }
    talk?.update();
  }

  return { hear, update };
}

/**
 * @param {Side} side
 * @param {() => void} chosen
 */
function makeSide(side, chosen) {
  const tab = h("button", { type: "button", role: "tab", class: "side-tab", "data-side": side }, h("span"));
  setText(/** @type {Element} */ (tab.firstElementChild), side === "log" ? t("log") : t(`side.${side}`));
  tab.addEventListener("click", chosen);
  return tab;
}
