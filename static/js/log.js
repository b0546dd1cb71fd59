// What happened, in words, the latest first. New lines are read out; those that were there on coming are not.

import { byId, h, setAttribute, setText } from "./dom.js";
import { tell } from "./events.js";
import { nodes } from "./rich.js";
import { t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./wire.js").GameEvent} GameEvent */

const MOST_READ = 4;

/** @param {Table} table */
export function bindLog(table) {
  const list = byId("log", HTMLElement);
  const live = byId("live", HTMLElement);
  /** @type {GameEvent[]} */
  let fresh = [];
  let newest = -1;
  setText(byId("log-title", HTMLElement), t("log"));
  setAttribute(list, "aria-label", t("log"));

  /** @param {readonly GameEvent[]} told of which some may be known: after a reconnect they come again */
  function hear(told) {
    fresh.push(...told.filter((event) => event.version > newest));
    newest = Math.max(newest, ...told.map((event) => event.version));
  }

  function draw() {
    if (!table.room || !fresh.length) return;
    const coming = list.childElementCount === 0;
    const lines = fresh.flatMap((event) => line(table, event));
    fresh = [];
    list.prepend(...lines.map(({ element }) => element).reverse());
    if (!coming)
      setText(
        live,
        lines
          .slice(-MOST_READ)
          .map(({ text }) => text)
          .join(" "),
      );
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
