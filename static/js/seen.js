// What was read of the talks, in this browser's last tables.

import { recallMap, rememberMap } from "./kept.js";

/** @typedef {Record<import("./wire.js").Said["talk"], number>} Seen the number of the last line that was read of each talk */

const PLACE = "fogline-seen";
const MOST = 50;

/**
 * @param {string} code of the table
 * @returns {Seen | null} null where nothing is known of it
 */
export function recallSeen(code) {
  return recallMap(PLACE).get(code) ?? null;
}

/**
 * @param {string} code of the table
 * @param {Seen} seen
 */
export function rememberSeen(code, { players, spectators }) {
  const tables = recallMap(PLACE);
  tables.delete(code);
  rememberMap(PLACE, tables.set(code, { players, spectators }), MOST);
}
