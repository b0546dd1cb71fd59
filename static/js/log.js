// What happened, in words: kept for this tab, so that a reload doesn't lose it; new lines are read out.

import { byId, h, setAttribute, setText } from "./dom.js";
import { tell } from "./events.js";
import { nodes } from "./rich.js";
import { t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./wire.js").GameEvent} GameEvent */

const MOST = 300;

/** @param {Table} table */
export function bindLog(table) {
  const list = byId("log", HTMLElement);
  const live = byId("live", HTMLElement);
  const place = `fogline-log-${table.code}`;
  const events = remembered(place);
  let drawn = 0;
  setText(byId("log-title", HTMLElement), t("log"));
  setAttribute(list, "aria-label", t("log"));

  /** @param {readonly GameEvent[]} told */
  function hear(told) {
    const newest = events.at(-1)?.version ?? -1;
    events.push(...told.filter((event) => event.version > newest));
    remember(place, events.slice(-MOST));
  }

  function draw() {
    if (!table.room || drawn === events.length) return;
    const fresh = events.slice(drawn).flatMap((event) => line(table, event));
    const reread = drawn === 0;
    drawn = events.length;
    list.append(...fresh.map(({ element }) => element));
    list.scrollTop = list.scrollHeight;
    if (!reread) setText(live, fresh.map(({ text }) => text).join(" "));
  }

  return { hear, draw };
}

/**
 * @param {Table} table
 * @param {GameEvent} event
 */
function line(table, event) {
  const said = tell(event, table.board, table.nameOf);
  if (!said) return [];
  const seat = "seat" in event ? event.seat : null;
  return [
    {
      element: h("li", { "data-seat": seat, "data-kind": event.type }, ...nodes(said)),
      text: t(said.key, said.values),
    },
  ];
}

/**
 * @param {string} place
 * @returns {GameEvent[]}
 */
function remembered(place) {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? "[]");
  } catch {
    return [];
  }
}

/**
 * @param {string} place
 * @param {readonly GameEvent[]} events
 */
function remember(place, events) {
  try {
    sessionStorage.setItem(place, JSON.stringify(events));
  } catch {
    // Without storage the log starts anew after a reload.
  }
}
