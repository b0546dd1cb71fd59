// The rematch: asks for one, or leads to the one that somebody has asked for.

import "../lib/more-words.js";
import { call, Refusal, tablePath } from "../lib/api.js";
import { attempt } from "../lib/attempt.js";
import { byId, setAttribute } from "../lib/dom.js";
import { join } from "../lib/nonces.js";
import { setPhrase } from "../lib/rich-text.js";
import { person, phrase, t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */

/**
 * @param {Table} table
 * @returns {() => void}
 */
export function bindRematch(table) {
  const again = byId("again", HTMLButtonElement);
  const watch = byId("watch-next", HTMLAnchorElement);
  const asked = byId("next-asked", HTMLElement);
  const trouble = byId("again-trouble", HTMLElement);
  /** @type {string | null} the next table, once its host is known or requested */
  let known = null;
  watch.textContent = t("rematch.watch");
  again.addEventListener("click", () => attempt(again, trouble, () => playAgain(table)));

  return () => {
    const next = table.room?.next ?? null;
    const played = table.view?.seat !== null;
    setAttribute(again, "hidden", !played);
    setAttribute(watch, "hidden", played || !next);
    again.textContent = t(next ? "rematch.join" : "scores.again");
    if (!next || next === known) return;
    known = next;
    watch.href = tablePath(next);
    hostOf(next).then((name) => {
      table.invitation = name ? phrase("rematch.wants", { name: person(name) }) : null;
      setPhrase(asked, table.invitation ?? phrase("rematch.open"));
      table.changed();
    });
  };
}

/**
 * Goes to the next table. Its lobby gives the nonce if that fails here.
 *
 * @param {Table} table
 */
async function playAgain({ code }) {
  const next = await call("POST", `rooms/${code}/rematch`, {});
  await join(next.code).catch(() => {});
  location.assign(tablePath(next.code));
}

/**
 * The name of a table's host.
 *
 * @param {string} code
 * @returns {Promise<string | null>}
 */
async function hostOf(code) {
  try {
    const { seats, host } = await call("GET", `rooms/${code}`);
    return host === null ? null : seats[host].name;
  } catch (refusal) {
    if (refusal instanceof Refusal) return null;
    throw refusal;
  }
}
