// Whom this browser does not want to hear. Nobody else learns of it.

import { recallMap, rememberMap } from "./kept.js";

const PLACE = "fogline-muted";
const MOST = 200;

/** @returns {Map<string, string>} names by the players' ids */
export function mutedPeople() {
  return recallMap(PLACE);
}

/** @param {Map<string, string>} people */
export function rememberMuted(people) {
  rememberMap(PLACE, people, MOST);
}
