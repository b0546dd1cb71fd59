// Who plays: a name, kept in this browser beside the server's cookie.

import { call, Refusal } from "./api.js";

const PLACE = "fogline-name";

/** The name used last, or an empty text. */
export function knownName() {
  try {
    return localStorage.getItem(PLACE) ?? "";
  } catch {
    return "";
  }
}

/**
 * Does something as the player of this name: as the one known here, or as a new one where the name is another or the
 * server doesn't know this browser.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function as(name, action) {
  if (!knownName() || name !== knownName()) await introduce(name);
  try {
    return await action();
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.status !== 401) throw refusal;
    await introduce(name);
    return action();
  }
}

/** @param {string} name */
async function introduce(name) {
  const player = await call("POST", "players", { name });
  try {
    localStorage.setItem(PLACE, player.name);
  } catch {
    // The cookie alone will do.
  }
}
