// The live connection to a room. It never gives up, and an action that was not answered is sent again with its id.

import { nonce } from "./api.js";

/** @typedef {import("./wire.js").ServerMessage} ServerMessage */
/** @typedef {import("./wire.js").RoomMessage} RoomMessage */
/** @typedef {import("./wire.js").Action} Action */
/** @typedef {"connecting" | "live" | "lost"} Status */
/** @typedef {{ok: true, version: number} | ({ok: false} & import("./api.js").Told)} Answer */
/** @typedef {{id: string, version: number, action: Action, answer: (answer: Answer) => void, sent: boolean}} Waiting */

const HEARTBEAT = 20_000;
const PATIENCE = 5_000;
const LONGEST_WAIT = 8_000;
/** So many tries fail before it is asked whether the table still lets one in. */
const DOUBT = 3;
const POLICY = 1008;
/** The server closes the connection for a message that is too long for it. */
const TOO_LONG = 1009;
/** A chat message is sent again this often, and given up in this time: its author still has it. */
const MOST_TRIES = 3;
const MOST_SAYING = 15_000;
/** Who was told off, as too slow for one, waits as if so many tries had failed. */
const HELD_BACK = 4;

/**
 * How long to wait before the next try: twice as long each time, with jitter so that not all come at once.
 *
 * @param {number} attempt from 0
 * @param {number} chance from 0 to 1
 */
export function delay(attempt, chance) {
  return Math.min(LONGEST_WAIT, 250 * 2 ** Math.min(attempt, 10)) * (0.5 + chance / 2);
}

/**
 * Whether a message tells something newer than what is known. The lobby has no version, and a room of the same version
 * may tell who came or went.
 *
 * @param {RoomMessage | null} known
 * @param {RoomMessage} told
 */
export function isNews(known, told) {
  return !known?.view || (told.view !== null && told.view.version >= known.view.version);
}

/**
 * What has happened since the message before; what a first message tells of is past.
 *
 * @param {RoomMessage | null} known
 * @param {RoomMessage} told
 */
export function since(known, told) {
  const seen = known?.view?.version ?? Number.POSITIVE_INFINITY;
  return told.events.filter(({ version }) => version > seen);
}

/**
 * Whether a line is closed for good: the room is gone, takes no one who watches, or bars this player. What else a server may close it for passes, a
 * phone that read too slowly on its way through a tunnel above all.
 *
 * @param {number} code
 * @param {string} reason
 */
export function isForGood(code, reason) {
  return code === POLICY && /spectators|removed|barred/.test(reason);
}

export class Connection {
  /** @type {WebSocket | null} */
  #socket = null;
  /** @type {Waiting | null} */
  #waiting = null;
  /** @type {Map<string, {words: object, answer: (answer: Answer) => void, tries: number}>} messages without an answer, by their id */
  #said = new Map();
  /** @type {Status} */
  #status = "connecting";
  #attempt = 0;
  #greeted = false;
  #ended = false;
  #retry = 0;
  #beat = 0;
  #doubt = 0;

  /**
   * @param {string} url
   * @param {{message: (message: ServerMessage) => void, status: (status: Status) => void, barred: () => void, doubted: () => void}} on
   */
  constructor(url, on) {
    this.url = url;
    this.on = on;
    addEventListener("online", () => this.#hurry());
    addEventListener("offline", () => this.#drop());
    addEventListener("pageshow", () => this.check());
    document.addEventListener("visibilitychange", () => this.check());
    this.#open();
  }

  /** Whether an action is on its way. */
  get busy() {
    return this.#waiting !== null;
  }

  /**
   * Sends an action; the answer comes even when the connection breaks in between.
   *
   * @param {Action} action
   * @param {number} version
   * @returns {Promise<Answer>}
   */
  act(action, version) {
    if (this.#waiting) return Promise.resolve({ ok: false, code: "busy", detail: "" });
    return new Promise((answer) => {
      this.#waiting = { id: nonce(), version, action, answer, sent: false };
      this.#resend();
    });
  }

  /**
   * Says something; the answer comes in any case, even when the connection breaks in between. The same id again is said once.
   *
   * @param {{id: string} & ({text: string} | {phrase: string})} words
   * @returns {Promise<Answer>}
   */
  say(words) {
    return new Promise((answer) => {
      this.#said.set(words.id, { words, answer, tries: 0 });
      setTimeout(() => this.#fail("unreachable", words.id), MOST_SAYING);
      if (this.#greeted) this.#sendSaid(words.id);
    });
  }

  /** Asks for a sign of life: a connection may look open and be dead, after sleep for one. */
  check() {
    if (document.visibilityState !== "visible" || this.#ended) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ping(2_000);
    else this.#hurry();
  }

  /** Connects anew, since the server asks who one is at the door only. */
  renew() {
    const old = this.#socket;
    this.#open();
    old?.close();
  }

  #open() {
    clearTimeout(this.#retry);
    this.#greeted = false;
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    this.#expect(PATIENCE * 2);
    socket.addEventListener("message", (event) => this.#socket === socket && this.#hear(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => this.#socket === socket && this.#closed(event.code, event.reason));
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    clearTimeout(this.#doubt);
    clearTimeout(this.#beat);
    this.#beat = setTimeout(() => this.#ping(PATIENCE), HEARTBEAT);
    if (message.type === "room" && !this.#greeted) this.#greet();
    if (message.type === "ack") this.#settle(message.id, { ok: true, version: message.version });
    if (message.type === "spoken") this.#settle(message.id, { ok: true, version: 0 });
    if (message.type === "refused") this.#refuse(message);
    this.on.message(message);
  }

  #greet() {
    this.#greeted = true;
    this.#attempt = 0;
    if (this.#waiting) this.#waiting.sent = false;
    this.#tell("live");
    this.#resend();
    for (const id of [...this.#said.keys()]) this.#sendSaid(id);
  }

  /**
   * Where each try ends with the connection, the message itself may be the reason.
   *
   * @param {string} id
   */
  #sendSaid(id) {
    const said = this.#said.get(id);
    if (!said) return;
    if (said.tries === MOST_TRIES) return this.#fail("unavailable", id);
    said.tries += 1;
    this.#send({ type: "say", ...said.words });
  }

  /** @param {import("./wire.js").Refused} refused which has no id where the server could not read one */
  #refuse(refused) {
    if (refused.id === null) this.#failSent(refused.code);
    else this.#settle(refused.id, { ...refused, ok: false });
  }

  /**
   * @param {string} code
   * @param {string} id of a message that is given up
   */
  #fail(code, id) {
    this.#settle(id, { ok: false, code, detail: "" });
  }

  /**
   * Gives up whatever was sent and has no answer.
   *
   * @param {string} code
   */
  #failSent(code) {
    for (const [id, { tries }] of [...this.#said]) if (tries) this.#fail(code, id);
    if (this.#waiting?.sent) this.#fail(code, this.#waiting.id);
  }

  #resend() {
    if (!this.#waiting || this.#waiting.sent || !this.#greeted) return;
    const { id, version, action } = this.#waiting;
    this.#waiting.sent = true;
    this.#send({ type: "act", id, version, action });
    this.#expect(PATIENCE);
  }

  /**
   * @param {string} id
   * @param {Answer} answer
   */
  #settle(id, answer) {
    this.#said.get(id)?.answer(answer);
    this.#said.delete(id);
    const waiting = this.#waiting;
    if (waiting?.id !== id) return;
    this.#waiting = null;
    waiting.answer(answer);
  }

  /** @param {number} patience */
  #ping(patience) {
    this.#send({ type: "ping" });
    this.#expect(patience);
  }

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {number} patience after which a silent connection counts as dead */
  #expect(patience) {
    clearTimeout(this.#doubt);
    this.#doubt = setTimeout(() => this.#drop(), patience);
  }

  #drop() {
    const socket = this.#socket;
    if (!socket) return;
    this.#closed(1006, "");
    socket.close();
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  #closed(code, reason) {
    clearTimeout(this.#doubt);
    clearTimeout(this.#beat);
    this.#socket = null;
    this.#greeted = false;
    this.#tell("lost");
    if (code === TOO_LONG) this.#failSent("too_large");
    if (code === POLICY) this.#attempt = Math.max(this.#attempt, HELD_BACK);
    if (isForGood(code, reason)) this.#bar();
    else this.#retryLater();
  }

  #bar() {
    this.#ended = true;
    this.on.barred();
  }

  #retryLater() {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.#open(), delay(this.#attempt, Math.random()));
    this.#attempt += 1;
    if (this.#attempt % DOUBT === 0) this.on.doubted();
  }

  #hurry() {
    if (this.#ended || this.#socket) return;
    this.#attempt = 0;
    this.#open();
  }

  /** @param {Status} status */
  #tell(status) {
    if (this.#status === status) return;
    this.#status = status;
    this.on.status(status);
  }
}
