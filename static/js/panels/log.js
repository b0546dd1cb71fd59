// The log: events as sentences, the latest first. Screen readers read out new lines, but not those the page begins with.

import { placeName, routeName } from "../board/route-words.js";
import { byId, h, setAttribute, setText } from "../lib/dom.js";
import { nodes } from "../lib/rich-text.js";
import { cardName, person, phrase, t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").GameEvent} GameEvent */
/** @typedef {{type: "untold", version: number}} Untold stands for earlier events that the server doesn't send any more */
/** @typedef {import("../wire.js").Board} Board */
/** @typedef {import("../lib/text.js").Phrase} Phrase */

const MOST_READ = 12;
/** Earlier lines are shown on demand: each new line moves all others, which is slow on a slow phone. */
const MOST_SHOWN = 30;

/** @param {Table} table */
export function bindLog(table) {
  const list = byId("log", HTMLElement);
  const live = byId("live", HTMLElement);
  /** @type {(GameEvent | Untold)[]} */
  let fresh = [];
  let newest = -1;
  let coming = true;
  setText(byId("log-title", HTMLElement), t("log"));
  setAttribute(list, "aria-label", t("log"));
  const more = h("button", { type: "button", class: "action quiet", hidden: true }, t("log.more"));
  let shown = MOST_SHOWN;
  list.append(h("li", { class: "log-more" }, more));
  more.addEventListener("click", () => {
    shown = Number.POSITIVE_INFINITY;
    list.focus();
    for (const old of list.children) setAttribute(old, "hidden", false);
    setAttribute(more, "hidden", true);
  });

  /** @param {readonly GameEvent[]} told some of which may be known, because they are sent again after a reconnect */
  function hear(told) {
    const first = told[0]?.version ?? 0;
    if (first > Math.max(0, newest) + 1) fresh.push({ type: "untold", version: first });
    fresh.push(...told.filter((event) => event.version > newest));
    newest = Math.max(newest, ...told.map((event) => event.version));
  }

  /** The server has gone back to an earlier position, after a backup was restored. */
  function forget() {
    [fresh, newest, coming] = [[], -1, true];
    list.replaceChildren(/** @type {Element} */ (list.lastElementChild));
  }

  function draw() {
    if (!table.room) return;
    const lines = fresh.flatMap((event) => line(table, event));
    fresh = [];
    list.prepend(...lines.map(({ element }) => element).reverse());
    const earlier = [...list.children].slice(shown, -1);
    for (const old of earlier) setAttribute(old, "hidden", true);
    setAttribute(more, "hidden", earlier.length === 0);
    if (!coming) readOut(live, lines.slice(-MOST_READ));
    coming = false;
  }

  return { hear, forget, draw };
}

/**
 * Each line is an element of its own, so that a line equal to the one before it is read out too.
 *
 * @param {HTMLElement} live
 * @param {readonly {text: string}[]} lines
 */
function readOut(live, lines) {
  live.append(...lines.map(({ text }) => h("span", {}, `${text} `)));
  while (live.childElementCount > MOST_READ) live.firstChild?.remove();
}

/**
 * @param {Table} table
 * @param {GameEvent | Untold} event
 */
function line(table, event) {
  const said = event.type === "untold" ? phrase("log.untold") : tell(event, table.board, table.nameOf);
  if (!said) return [];
  const seat = "seat" in event ? event.seat : null;
  return [
    {
      element: h("li", { "data-seat": seat, "data-kind": event.type }, ...nodes(said)),
      text: t(said.key, said.values),
    },
  ];
}

/**
 * The sentence for an event, or null if it needs none. There is no `default`, so the type check fails for a kind of event without a case.
 *
 * @param {GameEvent} event
 * @param {Board} board
 * @param {(seat: number) => string} nameOf
 * @returns {Phrase | null}
 */
export function tell(event, board, nameOf) {
  const who = "seat" in event ? { name: person(nameOf(event.seat)) } : { name: "" };
  switch (event.type) {
    case "first_tickets_kept":
      return phrase("log.first_tickets", who);
    case "token_placed":
      return phrase("log.placed", { ...who, token: token(event.symbol), place: placeName(board, event.location) });
    case "market_card_taken":
      return phrase("log.took", { ...who, cards: { kind: "cards", cards: { [event.card]: 1 } } });
    case "deck_card_drawn":
      return event.card
        ? phrase("log.drew", { ...who, cards: { kind: "cards", cards: { [event.card]: 1 } } })
        : phrase("log.drew_hidden", who);
    case "market_flushed":
      return phrase("log.flushed", { color: cardName("ferry") });
    case "flush_stopped":
      return phrase(`log.flush_stopped.${event.reason}`);
    case "deck_reshuffled":
      return phrase("log.reshuffled", { n: event.cards });
    case "route_claimed":
      return phrase("log.claimed", {
        ...who,
        route: routeName(board, event.route),
        cards: { kind: "cards", cards: event.payment },
        n: event.points,
      });
    case "token_taken":
      return phrase("log.token", { ...who, token: token(event.symbol) });
    case "tickets_drawn":
      return phrase("log.tickets", { ...who, n: event.number });
    case "tickets_kept":
      return phrase("log.kept", { ...who, n: event.number });
    case "passed":
      return phrase("log.passed", who);
    case "last_turns_began":
      return phrase("log.last_turns", { ...who, n: event.turns });
    case "game_ended":
      return phrase(`log.ended.${event.reason}`);
    case "market_filled":
      return null;
  }
}

/**
 * @param {string} symbol
 * @returns {import("../lib/text.js").Part}
 */
function token(symbol) {
  return { kind: "symbol", symbol };
}
