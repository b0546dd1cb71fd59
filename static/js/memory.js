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
