// The live connection to a room. It reconnects for ever, and sends an action without an answer again with the same id.

import { randomHex } from "../lib/api.js";
import { load } from "../lib/lazy.js";
import { recall, remember } from "../lib/storage.js";

/** @typedef {import("../wire.js").ServerMessage} ServerMessage */
/** @typedef {import("../wire.js").RoomMessage} RoomMessage */
/** @typedef {import("../wire.js").Action} Action */
/** @typedef {"connecting" | "live" | "polling" | "lost" | "waiting"} Status */
/** @typedef {{ok: true, version: number} | ({ok: false} & import("../lib/api.js").Told)} Answer */
/** @typedef {{type: string, id: string, [field: string]: unknown}} Message */
/** @typedef {{message: Message, answer: (answer: Answer) => void, tries: number, timer: number}} Asked */

const HEARTBEAT = 20_000;
const TIMEOUT = 5_000;
/** A message without an answer is sent again after this time, and after the same time again over another connection. */
const ANSWER_TIMEOUT = 2_500;
/** How often the time for an answer is doubled, once for each connection without one, to spare a slow server. */
const MOST_DOUBLINGS = 3;
const LONGEST_WAIT = 8_000;
/** After this many failed WebSockets in a row, every second attempt is made by polling. */
const MOST_SOCKETS = 2;
const KEY = "fogline-polling";
/** After this many failed attempts, the page checks whether this player may still see the table. */
const CHECK_AFTER = 3;
/** Close code: the connection broke a rule. */
const POLICY = 1008;
/** Close code: a message was too long. */
const TOO_LONG = 1009;
/** A chat message is given up after this many attempts, or this time: its author still has it. */
const MOST_TRIES = 3;
const MOST_SAYING = 15_000;
/** After a close for breaking a rule, the wait is that after this many failed attempts. */
const POLICY_ATTEMPTS = 4;

/**
 * Milliseconds before the next attempt: exponential backoff with jitter.
 *
 * @param {number} attempt from 0
 * @param {number} chance from 0 to 1
 */
export function delay(attempt, chance) {
  return Math.min(LONGEST_WAIT, 250 * 2 ** Math.min(attempt, 10)) * (0.5 + chance / 2);
}

/**
 * Whether reconnecting is useless: the room is gone, allows no spectators or bars this player, or this device was signed out. Any other
 * reason is temporary, such as a phone in a tunnel that reads too slowly.
 *
 * @param {number} code
 * @param {string} reason
 */
function isForGood(code, reason) {
  return code === POLICY && /spectators|removed|barred|signed out/.test(reason);
}

export class Connection {
  /** @type {WebSocket | import("./polling.js").Polling | null} */
  #socket = null;
  /** @type {typeof import("./polling.js").Polling | null} loaded if no WebSocket gets through */
  #Polling = null;
  /** Whether this network has let no WebSocket through. */
  #blocked = recall(KEY) === "on";
  /** @type {Map<string, Asked>} messages without an answer, by their ids */
  #asked = new Map();
  /** @type {Status} */
  #status = "connecting";
  #attempt = 0;
  #greeted = false;
  #ended = false;
  #retry = 0;
  #beat = 0;
  #doubt = 0;
  #doublings = 0;

  /**
   * @param {string} url
   * @param {{message: (message: ServerMessage, isFirst: boolean) => void, status: (status: Status) => void, barred: () => void, doubted: () => void}} on
   */
  constructor(url, on) {
    this.url = url;
    this.on = on;
    addEventListener("online", () => this.#status === "waiting" || this.#hurry());
    addEventListener("focus", () => this.#status === "waiting" && this.#hurry());
    addEventListener("offline", () => this.#drop());
    addEventListener("pageshow", () => this.check());
    document.addEventListener("visibilitychange", () => this.check());
    if (this.#blocked) this.#fallBack().finally(() => this.#open());
    else this.#open();
  }

  /** Whether an action is on its way. */
  get busy() {
    return [...this.#asked.values()].some(({ message }) => message.type === "act");
  }

  /**
   * Sends an action. The promise is kept even if the connection breaks in between.
   *
   * @param {Action} action
   * @param {number} version
   * @returns {Promise<Answer>}
   */
  act(action, version) {
    if (this.busy) return Promise.resolve({ ok: false, code: "busy", detail: "" });
    return this.#ask({ type: "act", id: randomHex(), version, action });
  }

  /**
   * Sends a chat message. There is always an answer, even if the connection breaks in between. The same id is sent to the chat once.
   *
   * @param {{id: string} & ({text: string} | {phrase: string})} words
   * @returns {Promise<Answer>}
   */
  say(words) {
    setTimeout(() => this.#fail("unreachable", words.id), MOST_SAYING);
    return this.#ask({ type: "say", ...words });
  }

  /** Checks that the connection works: it may look open and be dead, for example after sleep. */
  check() {
    if (document.visibilityState !== "visible" || this.#ended) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ping(2_000);
    else this.#hurry();
  }

  /** Reconnects, because the server authenticates only the handshake. A tab that is one too many still waits to be used. */
  renew() {
    if (this.#status === "waiting" && !this.#socket) return;
    const old = this.#socket;
    this.#open();
    old?.close();
  }

  #open() {
    clearTimeout(this.#retry);
    const polls = this.#attempt % 2 === 0 && (this.#blocked || this.#attempt >= MOST_SOCKETS);
    if (polls && this.#Polling)
      this.#follow(new this.#Polling(this.url, (socket, first) => this.#replace(socket, first)));
    else this.#follow(new WebSocket(this.url));
  }

  async #fallBack() {
    this.#Polling ??= (await load("table/polling").catch(() => null))?.Polling ?? null;
  }

  /**
   * @param {WebSocket} socket that works
   * @param {string} first its first message
   */
  #replace(socket, first) {
    this.#socket?.close();
    this.#follow(socket);
    this.#hear(JSON.parse(first));
  }

  /** @param {WebSocket | import("./polling.js").Polling} socket */
  #follow(socket) {
    this.#greeted = false;
    this.#socket = socket;
    this.#expect(TIMEOUT * 2);
    socket.onmessage = (/** @type {{data: string}} */ { data }) =>
      this.#socket === socket && this.#hear(JSON.parse(data));
    socket.onclose = (/** @type {{code: number, reason: string}} */ { code, reason }) =>
      this.#socket === socket && this.#closed(code, reason);
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    clearTimeout(this.#doubt);
    clearTimeout(this.#beat);
    this.#beat = setTimeout(() => this.#ping(TIMEOUT), HEARTBEAT);
    const isFirst = message.type === "room" && !this.#greeted;
    if (isFirst) this.#greet();
    if (message.type === "ack") this.#settle(message.id, { ok: true, version: message.version });
    if (message.type === "spoken") this.#settle(message.id, { ok: true, version: 0 });
    if (message.type === "refused") this.#refuse(message);
    this.on.message(message, isFirst);
  }

  #greet() {
    this.#greeted = true;
    this.#attempt = 0;
    this.#blocked = !(this.#socket instanceof WebSocket);
    remember(KEY, this.#blocked ? "on" : "off");
    this.#tell(this.#blocked ? "polling" : "live");
    for (const asked of [...this.#asked.values()]) this.#sendAsked(asked);
  }

  /**
   * @param {Message} message
   * @returns {Promise<Answer>}
   */
  #ask(message) {
    return new Promise((answer) => {
      const asked = { message, answer, tries: 0, timer: 0 };
      this.#asked.set(message.id, asked);
      if (this.#greeted) this.#sendAsked(asked);
    });
  }

  /**
   * Sends a message until it is answered; the server acts on it once. Other messages that arrive meanwhile don't prove that this one got
   * through. If the connection closes at each attempt of a chat message, the message itself may be the reason.
   *
   * @param {Asked} asked
   * @param {boolean} [again] whether it was sent over this connection before
   */
  #sendAsked(asked, again = false) {
    const { message, tries } = asked;
    if (message.type === "say" && tries === MOST_TRIES) return this.#fail("unavailable", message.id);
    asked.tries += 1;
    this.#send(message);
    clearTimeout(asked.timer);
    const next = () => (again ? this.#doubtAnswer() : this.#sendAsked(asked, true));
    asked.timer = setTimeout(next, ANSWER_TIMEOUT * 2 ** this.#doublings);
  }

  #doubtAnswer() {
    this.#doublings = Math.min(this.#doublings + 1, MOST_DOUBLINGS);
    this.#drop();
  }

  /** @param {import("../wire.js").Refused} refused without an id if the server could not read one */
  #refuse(refused) {
    if (refused.id === null) this.#failSent(refused.code);
    else this.#settle(refused.id, { ...refused, ok: false });
  }

  /**
   * @param {string} code
   * @param {string} id of the message
   */
  #fail(code, id) {
    this.#settle(id, { ok: false, code, detail: "" });
  }

  /**
   * Gives up everything that was sent and has no answer.
   *
   * @param {string} code
   */
  #failSent(code) {
    for (const [id, { tries }] of [...this.#asked]) if (tries) this.#fail(code, id);
  }

  /**
   * @param {string} id
   * @param {Answer} answer
   */
  #settle(id, answer) {
    const asked = this.#asked.get(id);
    if (!asked) return;
    clearTimeout(asked.timer);
    this.#asked.delete(id);
    this.#doublings = 0;
    asked.answer(answer);
  }

  /** @param {number} timeout */
  #ping(timeout) {
    this.#send({ type: "ping" });
    this.#expect(timeout);
  }

  /** @param {object} message */
  #send(message) {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** @param {number} timeout after which a silent connection counts as dead */
  #expect(timeout) {
    clearTimeout(this.#doubt);
    this.#doubt = setTimeout(() => this.#drop(), timeout);
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
    for (const { timer } of this.#asked.values()) clearTimeout(timer);
    this.#socket = null;
    this.#greeted = false;
    this.#tell("lost");
    if (code === TOO_LONG) this.#failSent("too_large");
    if (code === POLICY) this.#attempt = Math.max(this.#attempt, POLICY_ATTEMPTS);
    if (isForGood(code, reason)) this.#bar();
    else if (code === POLICY && /too many tabs/.test(reason) && !document.hasFocus()) this.#tell("waiting");
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
    if (this.#attempt === MOST_SOCKETS) this.#fallBack();
    if (this.#attempt % CHECK_AFTER === 0) this.on.doubted();
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
