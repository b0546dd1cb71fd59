// This player's part of the seed of a game. It is given after the server has committed itself to its own part, and kept to check the
// shuffle after the game.

import { call, randomHex } from "./api.js";
import { recallMap, rememberMap } from "./storage.js";

/** @typedef {{hand: Record<string, number>, offer: string[]}} Deal the first cards and tickets */
/** @typedef {{commitment: string, nonce: string, counts?: boolean, deal?: Deal}} Kept `counts`: the server has accepted this nonce */

const KEY = "fogline-nonces";
const MOST = 50;

/**
 * @param {string} code of the table
 * @returns {Kept | null} null if this browser gave none
 */
export function recallNonce(code) {
  return recallMap(KEY).get(code) ?? null;
}

/**
 * @param {string} code
 * @param {Kept} kept
 */
export function storeNonce(code, kept) {
  rememberMap(KEY, recallMap(KEY).set(code, kept), MOST);
}

/**
 * Takes a seat, or keeps the one this player has, and gives the nonce. Each table gets a single nonce, however often this is tried,
 * because the server could choose among several. For the same reason the commitment seen first is kept.
 *
 * @param {string} code of the table
 */
export async function join(code) {
  const { commitment } = await call("GET", `rooms/${code}`);
  const kept = recallNonce(code) ?? { commitment, nonce: randomHex() };
  storeNonce(code, kept);
  const told = await call("POST", `rooms/${code}/join`, { nonce: kept.nonce });
  storeNonce(code, { ...kept, counts: told.nonce === kept.nonce });
}

/**
 * Keeps the first cards and tickets, which must follow from the seed.
 *
 * @param {string} code
 * @param {import("../wire.js").View} view
 */
export function keepDeal(code, { phase, hand, offer }) {
  const kept = recallNonce(code);
  if (phase === "first_tickets" && offer.length && kept && !kept.deal)
    storeNonce(code, { ...kept, deal: { hand, offer } });
}

/**
 * The nonces that this browser gave for guests and the server accepted.
 *
 * @param {string} code of the table
 * @returns {string[]}
 */
export function guestNonces(code) {
  const all = /** @type {Map<string, Kept>} */ (recallMap(KEY));
  return [...all].flatMap(([place, kept]) => (place.startsWith(`${code}/`) && kept.counts ? [kept.nonce] : []));
}
