// What this browser remembers of choices, beyond the page where it may store something.

/**
 * @param {string} place
 * @returns {string | null}
 */
export function recall(place) {
  try {
    return localStorage.getItem(place);
  } catch {
    return null;
  }
}

/**
 * Without storage the choice holds for this page.
 *
 * @param {string} place
 * @param {string} choice
 */
export function remember(place, choice) {
  try {
    localStorage.setItem(place, choice);
  } catch {
    // Nothing is lost but the memory of it.
  }
}

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
