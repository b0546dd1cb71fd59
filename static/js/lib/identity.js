// Who plays: a name, kept in this browser beside the server's cookie.

import { base, call, Refusal, wellFormed } from "./api.js";
import { recall, remember } from "./storage.js";

/** @typedef {{player: string, name: string}} Player */

const PLACE = "fogline-name";
/** A browser that keeps no cookie would be a stranger again with the next call. */
const NO_COOKIE = { code: "bad_request", detail: "", reason: "no_cookie" };
/** Of the player who was made here while the browser kept no cookie: the next attempt makes no other one. */
let unkept = "";
/** The tabs of this browser share a cookie, and so are one player. */
const tabs = openChannel();

/** The name by which the server knows this browser, or else the one used last, or an empty text. */
export function knownName() {
  if (document.body.dataset.player) return document.body.dataset.player;
  return recall(PLACE) ?? "";
}

/**
 * Does something as the player of this name: as the one known here, who takes this name where it is another, or as a
 * new one where the server doesn't know this browser.
 *
 * @template T
 * @param {string} name
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function as(name, action) {
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
 * Tells the server a name: of the player it knows here, or of a new one. Without its cookie nobody becomes a player.
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
  become(player);
}

async function needCookie() {
  try {
    await call("GET", "players/me");
  } catch (refusal) {
    throw refusal instanceof Refusal && refusal.status === 401 ? new Refusal(NO_COOKIE) : refusal;
  }
}

/** @param {Player} player whom the server takes this browser for from now on */
export function become({ player, name }) {
  know({ player, name });
  remember(PLACE, name);
  tabs?.postMessage({ player, name });
}

/** @param {() => void} then what is to be done when another tab has made this browser a player, another one, or renamed it */
export function onBecoming(then) {
  tabs?.addEventListener("message", ({ data }) => {
    know(data);
    then();
  });
}

/** Missing in old browsers, and forbidden where nothing may be stored: then no tab hears of another. */
function openChannel() {
  try {
    return new BroadcastChannel(PLACE + base());
  } catch {
    return null;
  }
}

/** @param {Player} player */
function know({ player, name }) {
  document.body.dataset.me = player;
  document.body.dataset.player = name;
}
