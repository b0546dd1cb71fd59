// The messages of a WebSocket by long polling, for networks that let no WebSocket through. The connection uses it like a socket. From time
// to time it checks whether a WebSocket works after all.

import "../lib/more-words.js";
import { base, call, Refusal } from "../lib/api.js";
import { byId, setAttribute, setText } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** @typedef {{type: string, id: string, [field: string]: unknown}} Message */

const FIRST_LOOK = 5_000;
/** Milliseconds between two calls that were answered by different processes. */
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 4_000;
const NEXT_LOOK = 60_000;
/** Milliseconds for which the page says why it uses no WebSocket. */
const TOLD = 12_000;
let told = false;

export class Polling {
  /** @type {number} */
  readyState = WebSocket.OPEN;
  /** @type {(event: {data: string}) => void} */
  onmessage = () => {};
  /** @type {(event: {code: number, reason: string}) => void} */
  onclose = () => {};
  #over = new AbortController();
  #session = "";
  #pause = 0;
  #after = 0;

  /**
   * @param {string} url of the WebSocket
   * @param {(socket: WebSocket, first: string) => void} found called with a WebSocket that works, and its first message
   */
  constructor(url, found) {
    this.url = url;
    const { pathname, search } = new URL(url);
    this.code = pathname.split("/").at(-1) ?? "";
    this.query = search;
    this.found = found;
    this.#follow();
    this.#lookIn(FIRST_LOOK);
  }

  /** @param {string} text */
  send(text) {
    this.#pass(JSON.parse(text)).catch((refusal) => {
      // The connection sends again what has no answer.
      if (!(refusal instanceof Refusal)) throw refusal;
    });
  }

  close() {
    this.readyState = WebSocket.CLOSED;
    this.#over.abort();
  }

  async #follow() {
    try {
      while (this.readyState === WebSocket.OPEN) await this.#fetch();
    } catch {
      this.#end(1006, "");
    }
  }

  async #fetch() {
    const query = new URLSearchParams(this.query);
    query.set("session", this.#session);
    query.set("after", String(this.#after));
    const path = `${base()}api/v1/rooms/${this.code}/messages?${query}`;
    const answer = await fetch(path, { signal: this.#over.signal });
    if (!answer.ok) throw new Error(`refused with ${answer.status}`);
    const { session, after, messages, closed } = await answer.json();
    // A new session may come with every call if a balancer spreads them over several processes: slow down, and don't start over.
    const isOther = this.#session !== "" && session !== this.#session;
    this.#pause = isOther ? Math.min(LONGEST_PAUSE, this.#pause * 2 || FIRST_PAUSE) : 0;
    this.#session = session;
    this.#after = after;
    for (const message of messages) this.#tell(message);
    if (!told) tellCause();
    if (closed !== null) this.#end(1008, closed);
    if (this.#pause) await new Promise((resolve) => setTimeout(resolve, this.#pause));
  }

  /** @param {Message} message */
  async #pass(message) {
    const { type, id } = message;
    const room = `rooms/${this.code}`;
    try {
      if (type === "act") this.#tell({ type: "ack", id, ...(await call("POST", `${room}/act${this.query}`, message)) });
      else if (type === "say") this.#tell(await call("POST", `${room}/talk${this.query}`, message));
      else {
        await call("GET", room);
        this.#tell({ type: "pong" });
      }
    } catch (refusal) {
      if (!(refusal instanceof Refusal) || refusal.code === "unreachable") throw refusal;
      this.#tell({ type: "refused", id, version: 0, ...refusal.told });
    }
  }

  /** @param {object} message */
  #tell(message) {
    if (this.readyState !== WebSocket.OPEN) return;
    this.onmessage({ data: JSON.stringify(message) });
  }

  /**
   * @param {number} code
   * @param {string} reason
   */
  #end(code, reason) {
    if (this.readyState !== WebSocket.OPEN) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose({ code, reason });
  }

  /** @param {number} pause */
  #lookIn(pause) {
    const timer = setTimeout(() => this.#look(), pause);
    this.#over.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  #look() {
    if (this.readyState !== WebSocket.OPEN) return;
    const socket = new WebSocket(this.url);
    socket.onmessage = ({ data }) => {
      if (this.readyState === WebSocket.OPEN) this.found(socket, data);
      else socket.close();
    };
    socket.onclose = () => this.#lookIn(NEXT_LOOK);
  }
}

function tellCause() {
  const box = byId("connection", HTMLElement);
  told = true;
  setText(box, t("polling.cause"));
  setAttribute(box, "hidden", false);
  setTimeout(() => document.body.dataset.connection === "polling" && setAttribute(box, "hidden", true), TOLD);
}
