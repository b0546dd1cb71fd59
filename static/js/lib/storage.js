// Choices kept in the browser, if it allows storage.

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
 * Without storage the choice lasts as long as the page.
 *
 * @param {string} place
 * @param {string} choice
 */
export function remember(place, choice) {
  try {
    localStorage.setItem(place, choice);
  } catch {
    // Only the memory of the choice is lost.
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
