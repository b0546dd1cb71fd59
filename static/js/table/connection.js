// The live connection to a room. It never gives up, and an action that was not answered is sent again with its id.

import { nonce } from "../lib/api.js";
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
const PATIENCE = 5_000;
/** After so long what is not answered is sent again, and after as long again over another connection. */
const ANSWER = 2_500;
/** A slow server is not to be asked ever more: each connection without an answer doubles the wait, up to so many times. */
const MOST_DOUBLINGS = 3;
const LONGEST_WAIT = 8_000;
/** After so many sockets in a row that came to nothing, each second try goes without one. */
const MOST_SOCKETS = 2;
const PLACE = "fogline-polling";
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
 * Whether a line is closed for good: the room is gone, takes no one who watches, or bars this player, or this device was signed
 * out. What else a server may close it for passes, a
 * phone that read too slowly on its way through a tunnel above all.
 *
 * @param {number} code
 * @param {string} reason
 */
export function isForGood(code, reason) {
  return code === POLICY && /spectators|removed|barred|signed out/.test(reason);
}

export class Connection {
  /** @type {WebSocket | import("./polling.js").Polling | null} */
  #socket = null;
  /** @type {typeof import("./polling.js").Polling | null} what goes where no WebSocket does */
  #Polling = null;
  /** Whether this network let no WebSocket through. */
  #blocked = recall(PLACE) === "on";
  /** @type {Map<string, Asked>} what is not answered yet, by its id */
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
   * Sends an action; the answer comes even when the connection breaks in between.
   *
   * @param {Action} action
   * @param {number} version
   * @returns {Promise<Answer>}
   */
  act(action, version) {
    if (this.busy) return Promise.resolve({ ok: false, code: "busy", detail: "" });
    return this.#ask({ type: "act", id: nonce(), version, action });
  }

  /**
   * Says something; the answer comes in any case, even when the connection breaks in between. The same id again is said once.
   *
   * @param {{id: string} & ({text: string} | {phrase: string})} words
   * @returns {Promise<Answer>}
   */
  say(words) {
    setTimeout(() => this.#fail("unreachable", words.id), MOST_SAYING);
    return this.#ask({ type: "say", ...words });
  }

  /** Asks for a sign of life: a connection may look open and be dead, after sleep for one. */
  check() {
    if (document.visibilityState !== "visible" || this.#ended) return;
    if (this.#socket?.readyState === WebSocket.OPEN) this.#ping(2_000);
    else this.#hurry();
  }

  /** Connects anew, since the server asks who one is at the door only. */
  renew() {
    if (this.#status === "waiting") return;
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
   * @param {WebSocket} socket which works at last
   * @param {string} first what it has told
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
    this.#expect(PATIENCE * 2);
    socket.onmessage = (/** @type {{data: string}} */ { data }) =>
      this.#socket === socket && this.#hear(JSON.parse(data));
    socket.onclose = (/** @type {{code: number, reason: string}} */ { code, reason }) =>
      this.#socket === socket && this.#closed(code, reason);
  }

  /** @param {ServerMessage} message */
  #hear(message) {
    clearTimeout(this.#doubt);
    clearTimeout(this.#beat);
    this.#beat = setTimeout(() => this.#ping(PATIENCE), HEARTBEAT);
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
    remember(PLACE, this.#blocked ? "on" : "off");
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
   * Sends until it is answered; what comes twice is done once. Whatever else is heard meanwhile says nothing of the way there.
   * Where each try of a chat message ends with the connection, the message itself may be the reason.
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
    asked.timer = setTimeout(next, ANSWER * 2 ** this.#doublings);
  }

  #doubtAnswer() {
    this.#doublings = Math.min(this.#doublings + 1, MOST_DOUBLINGS);
    this.#drop();
  }

  /** @param {import("../wire.js").Refused} refused which has no id where the server could not read one */
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
    for (const { timer } of this.#asked.values()) clearTimeout(timer);
    this.#socket = null;
    this.#greeted = false;
    this.#tell("lost");
    if (code === TOO_LONG) this.#failSent("too_large");
    if (code === POLICY) this.#attempt = Math.max(this.#attempt, HELD_BACK);
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
