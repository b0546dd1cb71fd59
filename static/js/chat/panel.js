// The panel that log and chat share. The chat is loaded when somebody has written or wants to.

import { byId, setAttribute } from "../lib/dom.js";
import { need } from "../lib/lazy.js";
import { t } from "../lib/text.js";
import { bindTablist } from "../panels/tabs.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").Said} Said */
/** @typedef {{hear: (lines: readonly Said[], isNew: boolean) => void, update: () => void}} Talk */

/** @param {Table} table */
export function bindChatPanel(table) {
  const panel = byId("panel-log", HTMLElement);
  const list = byId("sides", HTMLElement);
  const { tabs, choose } = bindTablist(list, "side", (side) => t(side === "log" ? side : `side.${side}`), show);
  /** @type {[readonly Said[], boolean][]} what came before the chat was loaded */
  let heard = [];
  let audible = false;
  /** @type {Talk | null} */
  let talk = null;
  let wanted = false;
  setAttribute(list, "aria-label", t("tab.log"));
  show("log");

  /** @param {string} side */
  function show(side) {
    panel.dataset.side = side;
    choose(side);
    if (side !== "log") wake();
    talk?.update();
  }

  function wake() {
    if (wanted) return;
    wanted = true;
    load();
  }

  async function load() {
    const module = await need("chat/chat", load);
    wanted = module !== null;
    if (!module || talk) return;
    talk = module.bindChat(table, panel);
    for (const [lines, isNew] of heard) talk.hear(lines, isNew);
    heard = [];
    talk.update();
  }

  /**
   * @param {readonly Said[]} lines
   * @param {boolean} isNew whether they have just been written
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
    const { spectators = 0, options } = table.room ?? {};
    const watched = options?.spectators !== false && (audible || table.circle === "spectators" || spectators > 0);
    for (const tab of tabs) {
      const { side } = tab.dataset;
      setAttribute(tab, "hidden", (side === "spectators" && !watched) || (side === "log" && !table.view));
    }
    talk?.update();
  }

  return { hear, update };
}
