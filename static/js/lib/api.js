// Calls of the API. A refusal is thrown as a `Refusal`.

/** Milliseconds after which a call is given up, so that a dead network is told from a slow one. */
const TIMEOUT = 20_000;

/**
 * What the server says about a refusal. `detail` is an English sentence for programmers. `reason` and `facts` are there if the page can
 * say more than the code does, in its own language.
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
 * @param {string} [token] of the player who calls, if it is not the one in the cookie
 * @returns {Promise<any>} the JSON of the answer
 */
export async function call(method, path, body, token) {
  const answer = await reach(method, path, body, token);
  const told = await answer.json().catch(() => ({}));
  if (answer.ok) return told;
  throw new Refusal({ code: "unavailable", detail: "", ...told }, answer.status);
}

/**
 * 128 random bits in hexadecimal, for a player's part of a seed or for a unique id. `crypto.randomUUID` is missing on pages that come by
 * plain http, as in a home network.
 */
export function randomHex() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Replaces lone surrogates, which pasting may leave and JSON can't carry. Newer browsers have `toWellFormed` for it.
 *
 * @param {string} text
 */
export function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}

/** The base path of the site, with a slash at its end. */
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
      signal: abortAfter(TIMEOUT),
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
 * Like `AbortSignal.timeout`, which Chrome has since 103.
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
