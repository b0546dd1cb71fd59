// Events as sentences, for the log and the live region.

import { cardName, person, phrase } from "./text.js";

/** @typedef {import("./wire.js").GameEvent} GameEvent */
/** @typedef {import("./wire.js").Board} Board */
/** @typedef {import("./text.js").Phrase} Phrase */

/**
 * What an event says, or null when it is seen without words.
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
    default:
      return null;
  }
}

/**
 * @param {Board} board
 * @param {string} id
 */
export function placeName(board, id) {
  return board.locations.find((location) => location.id === id)?.name ?? id;
}

/**
 * @param {Board} board
 * @param {string} id
 */
export function routeName(board, id) {
  const route = board.routes.find((candidate) => candidate.id === id);
  return route ? ends(board, route.between) : id;
}

/**
 * @param {Board} board
 * @param {readonly [string, string]} between
 */
export function ends(board, [from, to]) {
  return `${placeName(board, from)} – ${placeName(board, to)}`;
}

/**
 * @param {string} symbol
 * @returns {import("./text.js").Part}
 */
function token(symbol) {
  return { kind: "symbol", symbol };
}
