// What flies where when something has happened: pure. Places are selectors of elements of the page.

/** @typedef {import("./wire.js").GameEvent} GameEvent */
/** @typedef {{face: string, icon: string, from: string, to: string}} Flight */

/**
 * @param {GameEvent} event
 * @param {number | null} you the own seat
 * @returns {Flight[]}
 */
export function flightsOf(event, you) {
  switch (event.type) {
    case "market_card_taken":
      return [card(event.card, `#slot-${event.slot}`, holder(event.seat, you, event.card))];
    case "deck_card_drawn":
      return [card(event.card, "#deck", holder(event.seat, you, event.card))];
    case "market_filled":
      return [card(event.card, "#deck", `#slot-${event.slot}`)];
    case "route_claimed":
      return Object.keys(event.payment).map((face) =>
        card(face, holder(event.seat, you, face), `#route-${event.route}`),
      );
    case "tickets_drawn":
      return [{ face: "tickets", icon: "ui-ticket", from: "#draw-tickets", to: `${player(event.seat)} .count-ticket` }];
    case "token_taken":
      return event.location === null ? [] : [token(event.symbol, event.location, event.seat)];
    default:
      return [];
  }
}

/**
 * @param {string | null} face null: face down
 * @param {string} from
 * @param {string} to
 * @returns {Flight}
 */
function card(face, from, to) {
  return { face: face ?? "deck", icon: face ? `card-${face}` : "ui-fogline", from, to };
}

/**
 * @param {string} symbol
 * @param {string} location
 * @param {number} seat
 * @returns {Flight}
 */
function token(symbol, location, seat) {
  return { face: "token", icon: `token-${symbol}`, from: `.stack[data-location="${location}"]`, to: player(seat) };
}

/**
 * Where cards of a seat are seen: one's own in the hand, those of others as a number.
 *
 * @param {number} seat
 * @param {number | null} you
 * @param {string | null} face
 */
function holder(seat, you, face) {
  return seat === you && face ? `#hand [data-color="${face}"]` : `${player(seat)} .count-cards`;
}

/** @param {number} seat */
function player(seat) {
  return `.player[data-seat="${seat}"]`;
}
