// Maps that this browser keeps: of each the newest entries.

import { recall, remember } from "./memory.js";

/**
 * @template T
 * @param {string} place
 * @returns {Map<string, T>}
 */
export function recallMap(place) {
  try {
    return new Map(JSON.parse(recall(place) ?? "[]"));
  } catch {
    return new Map();
  }
}

/**
 * @param {string} place
 * @param {Map<string, unknown>} map
 * @param {number} most entries that are kept
 */
export function rememberMap(place, map, most) {
  remember(place, JSON.stringify([...map].slice(-most)));
}
