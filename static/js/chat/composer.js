// The field for a chat message, and phrases that everybody reads in their own language.

import "../lib/more-words.js";
import { randomHex, wellFormed } from "../lib/api.js";
import { explain } from "../lib/attempt.js";
import { h, setAttribute, setText, symbol } from "../lib/dom.js";
import { introduce, knownName } from "../lib/identity.js";
import { t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */

/** The server closes the connection for a longer message. */
const MOST_BYTES = 8192;
const PHRASES = [
  "hello",
  "luck",
  "nice",
  "thanks",
  "sorry",
  "ouch",
  "close",
  "moment",
  "back",
  "turn",
  "played",
  "again",
];

export class Composer {
  #field = h("input", { type: "text", class: "say-text", autocomplete: "off", enterkeyhint: "send" });
  #send = h("button", { type: "submit", class: "round say-send" }, symbol("ui-send", "icon"));
  #open = h("button", { type: "button", class: "round say-open", "aria-expanded": "false" }, symbol("ui-talk", "icon"));
  #phrases = h("div", { class: "phrases", role: "group", hidden: true }, ...PHRASES.map((id) => this.#makePhrase(id)));
  #trouble = h("p", { class: "trouble", role: "alert", hidden: true });
  #form = h("form", { class: "say" }, this.#open, this.#field, this.#send);
  /** @type {{id: string, text: string} | null} the message being sent; the same words again have the same id */
  #draft = null;
  element = h("div", { class: "composer" }, this.#phrases, this.#trouble, this.#form);

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    name(this.#send, t("talk.send"));
    name(this.#open, t("talk.phrases"));
    setAttribute(this.#phrases, "aria-label", t("talk.phrases"));
    this.#open.addEventListener("click", () => this.#showPhrases(this.#phrases.hasAttribute("hidden")));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.#phrases.hidden) return;
      event.stopPropagation();
      this.#showPhrases(false);
      this.#open.focus();
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (target instanceof Node && !this.element.contains(target)) this.#showPhrases(false);
    });
    this.#form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit(this.#field.value.trim());
    });
  }

  /** @param {boolean} shown */
  update(shown) {
    const known = Boolean(document.body.dataset.me);
    setAttribute(this.element, "hidden", !shown);
    setAttribute(this.#open, "hidden", !known);
    const label = t(known ? "talk.write" : "talk.name");
    if (this.#field.placeholder === label) return;
    this.#field.placeholder = label;
    setAttribute(this.#field, "aria-label", label);
    this.#field.value = known ? "" : knownName();
  }

  focus() {
    this.#field.focus();
  }

  /** @param {boolean} shown */
  #showPhrases(shown) {
    setAttribute(this.#phrases, "hidden", !shown);
    setAttribute(this.#open, "aria-expanded", String(shown));
    if (shown) /** @type {HTMLElement | null} */ (this.#phrases.firstElementChild)?.focus();
  }

  /** @param {string} id */
  #makePhrase(id) {
    const button = h("button", { type: "button", class: "action phrase" }, t(`phrase.${id}`));
    button.addEventListener("click", () => {
      this.#showPhrases(false);
      this.#say({ id: randomHex(), phrase: id });
      this.#open.focus();
    });
    return button;
  }

  /** @param {string} text */
  async #submit(text) {
    if (!text || this.#send.getAttribute("aria-busy") === "true") return;
    if (!document.body.dataset.me) return this.#introduce(text);
    const words = wellFormed(text);
    if (this.#draft?.text !== words) this.#draft = { id: randomHex(), text: words };
    const said = await this.#say(this.#draft);
    if (said && this.#field.value.trim() === text) this.#field.value = "";
  }

  /**
   * Whether the message was accepted. Otherwise it stays in the field.
   *
   * @param {{id: string, text: string} | {id: string, phrase: string}} words
   */
  async #say(words) {
    if (!isSendable(words)) {
      this.#refuse(t("reason.say_length"));
      return false;
    }
    const answer = this.table.connection?.say(words);
    if (!answer) return false;
    this.#busy(true);
    const told = await answer;
    this.#busy(false);
    this.#refuse(told.ok ? "" : await explain(told));
    return told.ok;
  }

  /** @param {string} text the name */
  async #introduce(text) {
    this.#busy(true);
    try {
      await introduce(text);
      this.#refuse("");
      this.table.connection?.renew();
    } catch (refusal) {
      this.#refuse(await explain(/** @type {import("../lib/api.js").Refusal} */ (refusal).told));
    }
    this.#busy(false);
    this.table.changed();
  }

  /** @param {boolean} busy */
  #busy(busy) {
    setAttribute(this.#send, "aria-busy", busy ? "true" : null);
  }

  /** @param {string} why */
  #refuse(why) {
    setText(this.#trouble, why);
    setAttribute(this.#trouble, "hidden", !why);
  }
}

/** @param {object} words */
function isSendable(words) {
  return new TextEncoder().encode(JSON.stringify({ type: "say", ...words })).length <= MOST_BYTES;
}

/**
 * @param {HTMLElement} button
 * @param {string} label
 */
function name(button, label) {
  setAttribute(button, "aria-label", label);
  setAttribute(button, "title", label);
}
