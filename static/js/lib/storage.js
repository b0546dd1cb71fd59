// Choices kept in the browser, if it allows storage.

/**
 * @param {string} key
 * @returns {string | null}
 */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * Without storage the choice lasts as long as the page.
 *
 * @param {string} key
 * @param {string} choice
 */
export function remember(key, choice) {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Only the memory of the choice is lost.
  }
}

/**
 * @template T
 * @param {string} key
 * @returns {Map<string, T>}
 */
export function recallMap(key) {
  try {
    return new Map(JSON.parse(recall(key) ?? "[]"));
  } catch {
    return new Map();
  }
}

/**
 * @param {string} key
 * @param {Map<string, unknown>} map
 * @param {number} most entries that are kept
 */
export function rememberMap(key, map, most) {
  remember(key, JSON.stringify([...map].slice(-most)));
}
