// Whom this browser does not want to hear. Nobody else learns of it.

const PLACE = "fogline-muted";
const MOST = 200;

/** @returns {Map<string, string>} names by the players' ids */
export function mutedPeople() {
  try {
    return new Map(JSON.parse(localStorage.getItem(PLACE) ?? "[]"));
  } catch {
    return new Map();
  }
}

/** @param {Map<string, string>} people */
export function rememberMuted(people) {
  try {
    localStorage.setItem(PLACE, JSON.stringify([...people].slice(-MOST)));
  } catch {
    // Then it holds until the page is closed.
  }
}
