// Animates cards that fly over the page. The page already shows the new state, and nothing waits for the animation.

import { h, symbol } from "../lib/dom.js";

/** @typedef {import("../wire.js").GameEvent} GameEvent */
/** @typedef {{face: string, icon: string, from: string, to: string}} Flight */

const FLIGHT = 420;
const STEP = 60;
/** The latest start of a flight, so that everything is still after 600 ms. */
const LATEST = 180;
const MOST = 8;
const TURN = [{ transform: "rotateY(90deg)" }, { transform: "none" }];
const ARRIVE = [{ opacity: 0 }, { opacity: 0, offset: 0.9 }, { opacity: 1 }];

/**
 * Animates events, beginning with the next frame.
 *
 * @param {readonly GameEvent[]} events
 * @param {number | null} you this player's seat
 */
export function animate(events, you) {
  const flushed = events.some(({ type }) => type === "market_flushed");
  const told = flushed ? events.filter(({ type }) => type !== "market_filled") : events;
  const flights = told.flatMap((event) => flightsOf(event, you)).slice(-MOST);
  requestAnimationFrame(() => {
    if (flushed) turnMarket();
    flights.forEach(({ to }, index) => {
      if (to.startsWith("#slot-")) document.querySelector(to)?.animate(ARRIVE, { duration: delayOf(index) + FLIGHT });
    });
    requestAnimationFrame(() => launch(flights));
  });
}

/**
 * Begins one frame later, when the new state is on the screen. Looks up all places before the first card changes the page.
 *
 * @param {readonly Flight[]} flights
 */
function launch(flights) {
  const ways = flights.map(({ from, to }) => [place(from), place(to)]);
  flights.forEach((flight, index) => {
    const [start, end] = ways[index] ?? [];
    if (start && end) fly(flight, start, end, delayOf(index));
  });
}

/** @param {number} index */
function delayOf(index) {
  return Math.min(LATEST, index * STEP);
}

function turnMarket() {
  document.querySelectorAll("#market [id^=slot-]").forEach((slot, index) => {
    slot.animate(TURN, { duration: FLIGHT - STEP, delay: index * STEP, fill: "backwards", easing: "ease-out" });
  });
}

/**
 * @param {Flight} flight
 * @param {string} start
 * @param {string} end
 * @param {number} delay
 */
function fly({ face, icon }, start, end, delay) {
  const ghost = h("span", { class: "card flying", "data-color": face, "aria-hidden": "true" }, symbol(icon));
  document.body.append(ghost);
  const way = [{ transform: `${start} scale(1)` }, { transform: `${end} scale(0.6)`, opacity: 0.8 }];
  const flight = ghost.animate(way, {
    duration: FLIGHT,
    delay,
    fill: "backwards",
    easing: "cubic-bezier(0.3, 0, 0.2, 1)",
  });
  flight.onfinish = () => ghost.remove();
}

/**
 * The middle of an element, or of the tab it is behind.
 *
 * @param {string} selector
 */
function place(selector) {
  const element = document.querySelector(selector);
  const panel = element?.closest("[data-panel]")?.getAttribute("data-panel");
  const tab = document.querySelector(`.tab[data-tab="${panel === "market" ? "hand" : panel}"]`);
  const box = [element, tab].map((seen) => seen?.getBoundingClientRect()).find((seen) => seen?.width);
  return box && `translate(${box.x + box.width / 2}px, ${box.y + box.height / 2}px) translate(-50%, -50%)`;
}

/**
 * @param {GameEvent} event
 * @param {number | null} you this player's seat
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
 * @param {string | null} face null for a card that is face down
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
 * The selector for a seat's cards: the hand for this player's, the number of cards for others.
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
