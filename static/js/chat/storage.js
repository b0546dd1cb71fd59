// What this browser keeps of the chat: whom its user has muted, and what was read at the last tables.

import { recallMap, rememberMap } from "../lib/storage.js";

/** @typedef {Record<import("../wire.js").Said["talk"], number>} LastRead the number of the last message read in each chat */

const MUTED = "fogline-muted";
const MOST_MUTED = 200;
const READ = "fogline-seen";
const MOST_TABLES = 50;

/** @returns {Map<string, string>} names by the players' ids */
export function recallMuted() {
  return recallMap(MUTED);
}

/** @param {Map<string, string>} people */
export function rememberMuted(people) {
  rememberMap(MUTED, people, MOST_MUTED);
}

/**
 * @param {string} code of the table
 * @returns {LastRead | null} null if nothing is known of this table
 */
export function recallLastRead(code) {
  return recallMap(READ).get(code) ?? null;
}

/**
 * @param {string} code of the table
 * @param {LastRead} read
 */
export function rememberLastRead(code, { players, spectators }) {
  const tables = recallMap(READ);
  tables.delete(code);
  rememberMap(READ, tables.set(code, { players, spectators }), MOST_TABLES);
}
