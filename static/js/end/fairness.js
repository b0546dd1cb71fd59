// Checks whether a finished game was shuffled as promised: compares its record with what this browser kept. The algorithm is in
// docs/shuffle.md.

import "../lib/more-words.js";
import { call } from "../lib/api.js";
import { byId, setAttribute, setText } from "../lib/dom.js";
import { guestNonces, recallNonce } from "../lib/nonces.js";
import { t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").Board} Board */
/** @typedef {import("../lib/nonces.js").Kept} Kept */
/** @typedef {{seed: string, server_part: string, nonces: string[], derivation: number}} Seed */
/** @typedef {{seed: Seed, resumed: object | null}} GameRecord */
/** @typedef {{seat: number, bots: boolean[], board: Board, guests?: number[], given?: string[]}} Place this player's seat, which seats were bots, which were guests of this device, and the nonces given for those */
/** @typedef {"right" | "wrong.commitment" | "wrong.nonce" | "wrong.seed" | "wrong.deal"} Verdict */

const WORD = 2 ** 32;
const DEALT = 2;
const encoder = new TextEncoder();

/**
 * @param {Table} table
 * @returns {() => void} shows the verdict after the end, to players
 */
export function bindFairness(table) {
  const news = byId("shuffle-news", HTMLElement);
  let asked = false;

  async function tell() {
    const found = await look(table);
    setAttribute(news, "data-verdict", found);
    setText(news, t(`shuffle.${found}`));
  }

  return () => {
    if (asked || table.seat === null) return;
    asked = true;
    tell();
  };
}

/**
 * @param {Table} table
 * @returns {Promise<Verdict | "elsewhere" | "plain" | "unknown">}
 */
async function look({ code, room, seat, board }) {
  const kept = recallNonce(code);
  if (!kept?.counts || !room || seat === null) return "elsewhere";
  if (!crypto.subtle) return "plain";
  const bots = room.seats.map(({ kind }) => kind === "bot");
  const own = room.seats[seat]?.guardian ?? seat;
  const guests = room.seats.filter(({ guardian }) => guardian === own).map((each) => each.seat);
  const place = { seat: own, bots, board, guests, given: guestNonces(code) };
  try {
    return await compare(await call("GET", `rooms/${code}/record`), kept, place);
  } catch {
    return "unknown";
  }
}

/**
 * @param {GameRecord} record
 * @param {Kept} kept
 * @param {Place} place
 * @returns {Promise<Verdict>}
 */
export async function compare({ seed, resumed }, kept, place) {
  const part = bytesOf(seed.server_part);
  if (hex(await sha256(part)) !== kept.commitment) return "wrong.commitment";
  if (seed.nonces[place.seat] !== kept.nonce || !areOfGuests(seed.nonces, place)) return "wrong.nonce";
  const nonces = await allNonces(seed, place.bots);
  const mixed = await digest("fogline seed 1", [part, ...nonces.map((nonce) => encoder.encode(nonce))]);
  if (String(nonces) !== String(seed.nonces) || hex(mixed) !== seed.seed) return "wrong.seed";
  const follows = resumed || !kept.deal || (await isDealt(kept.deal, mixed, place));
  return follows ? "right" : "wrong.deal";
}

/**
 * Whether the guests' seats have the nonces that this device gave. It can't tell if another device gave some of them.
 *
 * @param {string[]} nonces
 * @param {Place} place
 */
function areOfGuests(nonces, { guests = [], given = [] }) {
  return given.length < guests.length || guests.every((seat) => given.includes(nonces[seat] ?? ""));
}

/**
 * The nonces of all seats. Those of bots follow from those of the players.
 *
 * @param {Seed} seed
 * @param {boolean[]} bots
 */
function allNonces({ nonces, derivation }, bots) {
  const players = bots.flatMap((bot, seat) => (bot ? [] : [encoder.encode(nonces[seat] ?? "")]));
  const nonceOf = async (/** @type {boolean} */ bot, /** @type {number} */ seat) => {
    if (!bot) return nonces[seat] ?? "";
    return derivation === 1 ? "" : hex(await digest("fogline bot 2", [encoder.encode(String(seat)), ...players]));
  };
  return Promise.all(bots.map(nonceOf));
}

/**
 * Whether the seed deals these cards and tickets, the first ones this device was shown, to the seat or to one of its guests.
 *
 * @param {import("../lib/nonces.js").Deal} deal
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {Place} place
 */
async function isDealt({ hand, offer }, seed, { seat, board, guests = [] }) {
  const colors = board.colors.flatMap((color) => Array(board.cards_per_color).fill(color));
  const deck = await shuffled([...colors, ...Array(board.ferry_cards).fill("ferry")], seed, "deck");
  const tickets = await shuffled(
    board.tickets.map(({ id }) => id),
    seed,
    "tickets",
  );
  const cards = Object.entries(hand).flatMap(([card, number]) => Array(number).fill(card));
  const first = (/** @type {string[]} */ all, /** @type {number} */ at) => all.slice(at * DEALT, (at + 1) * DEALT);
  return [seat, ...guests].some((each) => isSame(first(deck, each), cards) && isSame(first(tickets, each), offer));
}

/**
 * @param {string[]} some
 * @param {string[]} others
 */
function isSame(some, others) {
  return String([...some].sort()) === String([...others].sort());
}

/**
 * @param {string[]} items
 * @param {Uint8Array<ArrayBuffer>} seed
 * @param {string} label
 */
export async function shuffled(items, seed, label) {
  const key = await crypto.subtle.importKey("raw", seed, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const order = [...items];
  let left = order.length;
  for (let block = 0; left > 1; block += 1) {
    for (const word of await wordsOf(key, label, block)) {
      const other = word % left;
      if (left < 2 || word - other + left > WORD) continue;
      left -= 1;
      [order[left], order[other]] = [order[other] ?? "", order[left] ?? ""];
    }
  }
  return order;
}

/**
 * @param {CryptoKey} key
 * @param {string} label
 * @param {number} block
 */
async function wordsOf(key, label, block) {
  const number = new Uint8Array(8);
  new DataView(number.buffer).setBigUint64(0, BigInt(block));
  const signed = new DataView(await crypto.subtle.sign("HMAC", key, joined([encoder.encode(`${label}\0`), number])));
  return Array.from({ length: 8 }, (_, index) => signed.getUint32(4 * index));
}

/**
 * @param {string} label
 * @param {Uint8Array[]} parts each is preceded by its length
 */
function digest(label, parts) {
  const framed = parts.flatMap((part) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, part.length);
    return [length, part];
  });
  return sha256(joined([encoder.encode(label), ...framed]));
}

/** @param {Uint8Array<ArrayBuffer>} bytes */
async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} text in hexadecimal */
function bytesOf(text) {
  return new Uint8Array((text.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)));
}
