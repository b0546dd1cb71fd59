// Calls of the public interface. A refusal is thrown with its code and its sentence.

/** In milliseconds: a network that swallows everything is told from a slow one. */
const PATIENCE = 20_000;

/**
 * What the server says of a refusal. `detail` is an English sentence; `reason` and `facts` are there where the reader's
 * language can say more than `code`.
 *
 * @typedef {{code: string, detail: string, reason?: string | null, facts?: Record<string, number>}} Told
 */

export class Refusal extends Error {
  /**
   * @param {Told} told
   * @param {number} status
   */
  constructor(told, status = 0) {
    super(told.detail);
    this.told = told;
    this.status = status;
  }

  get code() {
    return this.told.code;
  }
}

/**
 * @param {string} method
 * @param {string} path below the base path
 * @param {object} [body]
 * @param {string} [token] of the player who asks, where that is not the one of the cookie
 * @returns {Promise<any>} what the answer holds
 */
export async function call(method, path, body, token) {
  const answer = await reach(method, path, body, token);
  const told = await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  throw new Refusal({ code: "unavailable", detail: "", ...told }, answer.status);
}

/**
 * 128 bits of this player's own, in hexadecimal: half of what the seed of a game is mixed from, or an id that nobody else has.
 * The browser's own `randomUUID` is missing where a page comes by plain http, as in a home network.
 */
export function nonce() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * A text without halves of characters, which pasting may leave and JSON can't carry: they become the sign for what can't be
 * shown. Newer browsers have `toWellFormed` for it.
 *
 * @param {string} text
 */
export function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The path under which the pages live, with a slash at its end. */
export function base() {
  return document.body.dataset.base ?? "/";
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @param {string} [token]
 */
async function reach(method, path, body, token) {
  try {
    return await fetch(`${base()}api/v1/${path}`, {
      method,
      signal: abortAfter(PATIENCE),
      headers: {
        ...(body ? { "content-type": "application/json" } : {}),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  } catch {
    throw new Refusal({ code: "unreachable", detail: "" });
  }
}

/**
 * What `AbortSignal.timeout` gives, which Chrome has since 103.
 *
 * @param {number} time in milliseconds
 */
function abortAfter(time) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), time);
  return controller.signal;
}

/** @param {string} code */
export function tablePath(code) {
  return `${base()}t/${code}`;
}
