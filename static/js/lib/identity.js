// Who plays: the player this browser's cookie stands for, and the name used last.

import { base, call, Refusal, wellFormed } from "./api.js";
import { recall, remember } from "./storage.js";

/** @typedef {{player: string, name: string}} Player */

const KEY = "fogline-name";
/** Without a cookie, the browser would be a stranger again with the next call. */
const NO_COOKIE = { code: "bad_request", detail: "", reason: "no_cookie" };
/** The token of a player who was made while the browser kept no cookie, so that the next attempt doesn't make another one. */
let unkept = "";
/** The tabs of a browser share the cookie, so they are one player. */
const tabs = openChannel();

/** The name by which the server knows this browser, else the one used last, else an empty text. */
export function knownName() {
  if (document.body.dataset.player) return document.body.dataset.player;
  return recall(KEY) ?? "";
}

/**
 * Does something under this name. A known player is renamed if necessary; if the server doesn't know this browser, a player is made.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withName(name, action) {
  try {
    if (!knownName() || name !== knownName()) await introduce(name);
    return await action();
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.status !== 401) throw refusal;
    delete document.body.dataset.player;
    await introduce(name);
    return action();
  }
}

/**
 * Renames the player of this browser, or makes one. Throws if the browser keeps no cookie.
 *
 * @param {string} name
 */
export async function introduce(name) {
  if (!navigator.cookieEnabled) throw new Refusal(NO_COOKIE);
  const known = document.body.dataset.player || unkept;
  const [method, path] = known ? ["PATCH", "players/me"] : ["POST", "players"];
  const player = await call(method, path, { name: wellFormed(name) }, unkept);
  unkept = player.token;
  await needCookie();
  unkept = "";
  setPlayer(player);
}

async function needCookie() {
  try {
    await call("GET", "players/me");
  } catch (refusal) {
    throw refusal instanceof Refusal && refusal.status === 401 ? new Refusal(NO_COOKIE) : refusal;
  }
}

/** @param {Player} player for whom the server takes this browser from now on */
export function setPlayer({ player, name }) {
  notePlayer({ player, name });
  remember(KEY, name);
  tabs?.postMessage({ player, name });
}

/** @param {() => void} then done when another tab has changed the player of this browser, or the name */
export function onPlayerChange(then) {
  tabs?.addEventListener("message", ({ data }) => {
    notePlayer(data);
    then();
  });
}

/** Null in old browsers, and where storage is forbidden: then tabs don't hear of each other. */
function openChannel() {
  try {
    return new BroadcastChannel(KEY + base());
  } catch {
    return null;
  }
}

/** @param {Player} player */
function notePlayer({ player, name }) {
  document.body.dataset.me = player;
  document.body.dataset.player = name;
}
