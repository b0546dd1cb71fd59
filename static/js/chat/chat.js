// The chats of players and of spectators.

import "../lib/more-words.js";
import { byId, h, isNew, setAttribute, setText, symbol, updateList } from "../lib/dom.js";
import { person, plain, t } from "../lib/text.js";
import { Composer } from "./composer.js";
import { recallLastRead, recallMuted, rememberLastRead, rememberMuted } from "./storage.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").Said} Said */
/** @typedef {Said["talk"]} Circle */

/** @type {Circle[]} */
const CIRCLES = ["players", "spectators"];
const MOST_SHOWN = 200;
/** Pixels from the end of a list within which it follows new messages. */
const NEAR_END = 40;

/**
 * @param {Table} table
 * @param {HTMLElement} panel
 */
export function bindChat(table, panel) {
  return new Talk(table, panel);
}

class Talk {
  #box = byId("talk", HTMLElement);
  #news = byId("talk-news", HTMLElement);
  #muted = recallMuted();
  /** @type {import("./storage.js").LastRead} */
  #seen;
  /** Whether this reader was here before, so that unread messages were missed. */
  #returns;
  #chips = h("p", { class: "muted-people" });
  #note = h("p", { class: "talk-note" });
  /** @type {Record<Circle, {lines: Map<number, Said>, list: HTMLElement}>} */
  #circles = { players: emptyCircle("players"), spectators: emptyCircle("spectators") };

  /**
   * @param {Table} table
   * @param {HTMLElement} panel
   */
  constructor(table, panel) {
    this.table = table;
    this.panel = panel;
    this.composer = new Composer(table);
    const seen = recallLastRead(table.code);
    this.#returns = seen !== null;
    this.#seen = seen ?? { players: 0, spectators: 0 };
    const lists = CIRCLES.map((circle) => this.#circles[circle].list);
    for (const list of lists) stayAtEnd(list);
    this.#box.append(...lists, this.#chips, this.#note, this.composer.element);
    this.#growWhileWriting();
    document.addEventListener("visibilitychange", () => this.update());
    new MutationObserver(() => this.update()).observe(document.body, { attributeFilter: ["data-tab"] });
  }

  /**
   * @param {readonly Said[]} lines some of which may be known, because they are sent again after a reconnect
   * @param {boolean} isNew whether they have just been written
   */
  hear(lines, isNew) {
    const fresh = lines.filter((line) => !this.#circles[line.talk].lines.has(line.number));
    for (const line of lines) this.#keepLine(line);
    if (isNew) this.#announce(fresh.filter((line) => this.#isForMe(line)));
    else this.#catchUp(fresh);
    for (const circle of CIRCLES) this.#draw(circle);
    this.#showMuted();
    this.update();
  }

  update() {
    const side = this.panel.dataset.side ?? "log";
    setAttribute(this.#box, "hidden", side === "log");
    if (side !== "log") setAttribute(this.#box, "aria-labelledby", `side-${side}`);
    for (const circle of CIRCLES) {
      setAttribute(this.#circles[circle].list, "hidden", circle !== side);
      if (circle === side && this.#isLookedAt()) this.#see(this.#lines(circle));
      this.#mark(circle);
    }
    this.composer.update(side === this.table.circle && this.#mayTalk);
    setText(this.#note, side !== "log" && side !== this.table.circle ? t(`talk.only.${side}`) : "");
  }

  /** In a room without spectators, only players may write. */
  get #mayTalk() {
    return this.table.seat !== null || this.table.room?.options.spectators !== false;
  }

  /** The panel is larger while somebody writes. It shrinks when the focus leaves, so that nothing moves under a finger before. */
  #growWhileWriting() {
    this.#box.addEventListener("focusin", ({ target }) => {
      if (target instanceof HTMLInputElement) this.#box.dataset.roomy = "";
    });
    this.#box.addEventListener("focusout", ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node && this.#box.contains(relatedTarget))) delete this.#box.dataset.roomy;
    });
    this.#box.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.#box.dataset.roomy === undefined) return;
      event.stopPropagation();
      delete this.#box.dataset.roomy;
      this.#circles[this.table.circle].list.focus();
    });
  }

  /** @param {Said} line */
  #keepLine(line) {
    const { lines } = this.#circles[line.talk];
    lines.set(line.number, line);
    const oldest = Math.max(...lines.keys()) - MOST_SHOWN;
    for (const number of lines.keys()) if (number <= oldest) lines.delete(number);
  }

  /** @param {Circle} circle */
  #lines(circle) {
    const lines = [...this.#circles[circle].lines.values()].sort((one, other) => one.number - other.number);
    return lines.filter((line) => !this.#muted.has(line.player));
  }

  /** @param {Circle} circle */
  #draw(circle) {
    updateList(
      this.#circles[circle].list,
      this.#lines(circle),
      ({ number }) => String(number),
      (line) => makeLine(line, () => this.#mute(line)),
      showLine,
    );
  }

  /**
   * A newcomer has missed none of the earlier messages. A player is no newcomer, if the browser can remember what was read.
   *
   * @param {readonly Said[]} lines
   */
  #catchUp(lines) {
    rememberLastRead(this.table.code, this.#seen);
    const isOld = this.#returns || (this.table.seat !== null && recallLastRead(this.table.code) !== null);
    if (!isOld) this.#see(lines);
    this.#returns = true;
  }

  /** @param {readonly Said[]} lines */
  #see(lines) {
    const before = { ...this.#seen };
    for (const { talk, number } of lines) this.#seen[talk] = Math.max(this.#seen[talk], number);
    if (CIRCLES.some((circle) => this.#seen[circle] > before[circle])) rememberLastRead(this.table.code, this.#seen);
  }

  #isLookedAt() {
    return !document.hidden && this.#box.offsetParent !== null;
  }

  /**
   * Players hear players, and hear spectators only while looking at their chat.
   *
   * @param {Said} line
   */
  #isForMe({ player, talk }) {
    if (player === document.body.dataset.me || this.#muted.has(player)) return false;
    return talk === "players" || this.table.circle === talk || this.panel.dataset.side === talk;
  }

  /** @param {Said[]} lines */
  #announce(lines) {
    if (!lines.length) return;
    const told = lines.map((line) => t(line.seat === null ? "talk.says.watching" : "talk.says", toldOf(line)));
    this.#news.replaceChildren(h("span", {}, told.join(" ")));
  }

  /**
   * Shows the number of unread messages on a chat's tab, and those that concern this reader on the tab of the panel.
   *
   * @param {Circle} circle
   */
  #mark(circle) {
    const { list } = this.#circles[circle];
    const isNew = (/** @type {Said} */ line) => line.number > this.#seen[circle];
    const unseen = this.#lines(circle).filter((line) => isNew(line) && line.player !== document.body.dataset.me);
    showUnread(this.panel.querySelector(`.side-tab[data-side="${circle}"]`), unseen.length);
    if (circle === "players" || circle === this.table.circle) list.dataset.unread = String(unseen.length);
    const all = CIRCLES.reduce((sum, each) => sum + Number(this.#circles[each].list.dataset.unread ?? 0), 0);
    showUnread(document.querySelector(".tab[data-tab=log]"), all);
  }

  /** @param {Said} line */
  #mute({ player, name }) {
    this.#muted.set(player, name);
    this.#heed();
    /** @type {HTMLElement | null} */ (this.#chips.lastElementChild)?.focus();
  }

  #heed() {
    rememberMuted(this.#muted);
    this.hear([], false);
  }

  /** Those who were muted and have written here can be unmuted. */
  #showMuted() {
    const here = CIRCLES.flatMap((circle) => [...this.#circles[circle].lines.values()].map(({ player }) => player));
    const people = [...this.#muted].filter(([player]) => here.includes(player));
    updateList(
      this.#chips,
      people,
      ([player]) => player,
      ([player, name]) => this.#makeChip(player, name),
    );
  }

  /**
   * @param {string} player
   * @param {string} name
   */
  #makeChip(player, name) {
    const chip = h("button", { type: "button", class: "muted-person" }, symbol("ui-mute", "icon"), h("bdi", {}, name));
    setAttribute(chip, "aria-label", t("talk.unmute", { name: person(name) }));
    setAttribute(chip, "title", t("talk.unmute", { name: person(name) }));
    chip.addEventListener("click", () => {
      this.#muted.delete(player);
      this.#heed();
      this.composer.focus();
    });
    return chip;
  }
}

/** @param {Circle} circle */
function emptyCircle(circle) {
  const looks = { class: "lines", tabindex: 0, "aria-label": t(`side.${circle}`), "data-empty": t("talk.empty") };
  return { lines: new Map(), list: h("ol", looks) };
}

/**
 * Keeps the newest message visible, unless the reader has scrolled back.
 *
 * @param {HTMLElement} list
 */
function stayAtEnd(list) {
  let along = true;
  const follow = () => {
    if (along) list.scrollTop = list.scrollHeight;
  };
  list.addEventListener("scroll", () => {
    if (list.clientHeight) along = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
  });
  new ResizeObserver(follow).observe(list);
  new MutationObserver(follow).observe(list, { childList: true });
}

/**
 * @param {Said} line
 * @param {() => void} mute
 */
function makeLine(line, mute) {
  const own = line.player === document.body.dataset.me;
  const label = t("talk.mute", { name: person(line.name) });
  const button = h("button", { type: "button", class: "mute", "aria-label": label, title: label });
  button.append(symbol("ui-mute", "icon"));
  button.addEventListener("click", mute);
  const words = h("span", { class: "words", dir: "auto" }, wordsOf(line));
  const time = new Date(line.at).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
  const who = [h("span", {}), h("bdi", { class: "who" }), h("span", { class: "watching" })];
  return h("li", { "data-own": own, title: time }, ...who, ": ", words, !own && button);
}

/**
 * Players have their seat's name and mark, which nobody else can have.
 *
 * @param {HTMLElement} element
 * @param {Said} line
 */
function showLine(element, { seat, name }) {
  const [mark, who, watching] = element.children;
  if (!mark || !who || !watching || !isNew(element, seat, name)) return;
  setAttribute(element, "data-seat", seat);
  mark.replaceChildren(...(seat === null ? [] : [symbol(`car-${seat}`, "line-car")]));
  setText(who, name);
  setText(watching, seat === null ? t("talk.watching") : "");
}

/** @param {Said} line */
function toldOf(line) {
  return { name: person(line.name), text: person(wordsOf(line)) };
}

/** @param {Said} line */
function wordsOf({ text, phrase }) {
  return text ?? t(`phrase.${phrase}`);
}

/**
 * @param {Element | null} tab
 * @param {number} n
 */
function showUnread(tab, n) {
  if (!tab) return;
  let mark = tab.querySelector(".unread");
  if (!mark) {
    mark = h("span", { class: "unread" });
    tab.append(mark);
  }
  setAttribute(mark, "hidden", n === 0);
  setText(mark, n ? plain(n) : "");
  setAttribute(mark, "aria-label", n ? t("talk.unread", { n }) : null);
  setAttribute(mark, "role", n ? "img" : null);
}
