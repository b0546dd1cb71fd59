// Whom this browser does not want to hear. Nobody else learns of it.

import { recall, remember } from "./memory.js";

const PLACE = "fogline-muted";
const MOST = 200;

/** @returns {Map<string, string>} names by the players' ids */
export function mutedPeople() {
  try {
    return new Map(JSON.parse(recall(PLACE) ?? "[]"));
  } catch {
    return new Map();
  }
}

/** @param {Map<string, string>} people */
export function rememberMuted(people) {
  remember(PLACE, JSON.stringify([...people].slice(-MOST)));
}
