// Who plays: a name, kept in this browser beside the server's cookie.

import { call, Refusal } from "./api.js";

const PLACE = "fogline-name";

/** The name by which the server knows this browser, or else the one used last, or an empty text. */
export function knownName() {
  if (document.body.dataset.player) return document.body.dataset.player;
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
  document.body.dataset.me = player.player;
  rememberName(player.name);
}

/** @param {string} name of the player whom the server takes this browser for from now on */
export function rememberName(name) {
  document.body.dataset.player = name;
  try {
    localStorage.setItem(PLACE, name);
  } catch {
    // The cookie alone will do.
  }
}
