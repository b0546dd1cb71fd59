// What the player has picked but not sent yet. Pure functions, judged only by `view.legal`.

/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").Action} Action */
/** @typedef {import("../wire.js").Claim} Claim */
/**
 * @typedef {object} Selection
 * @property {string | null} route the claimable route whose chooser is open
 * @property {number | null} payment the index of one of the route's payments
 * @property {string | null} token the token of the claim, or the symbol of the stack to place
 * @property {string | null} card the color of the hand whose claimable routes are lit
 * @property {readonly string[]} keep tickets of the offer that are marked
 * @property {boolean} tickets whether drawing tickets was asked for and not confirmed yet
 */

/** @type {Selection} */
export const NOTHING = { route: null, payment: null, token: null, card: null, keep: [], tickets: false };

/**
 * The routes that may be claimed, with this color if one is given.
 *
 * @param {View} view
 * @param {string | null} card
 * @returns {string[]}
 */
export function claimable(view, card) {
  const routes = Object.entries(view.legal.claims);
  return routes.filter(([, claim]) => card === null || pays(claim, card)).map(([route]) => route);
}

/**
 * Opens the chooser of a route, on its cheapest payment or the cheapest with the picked color.
 *
 * @param {View} view
 * @param {Selection} selection
 * @param {string} route
 * @returns {Selection}
 */
export function pickRoute(view, selection, route) {
  const claim = view.legal.claims[route];
  if (!claim) return selection;
  const { card } = selection;
  const fitting = claim.payments.findIndex((payment) => card !== null && card in payment);
  return { ...NOTHING, card, route, payment: Math.max(0, fitting), token: only(claim.tokens) };
}

/**
 * Picks a color of the hand, or puts it back if it is picked already.
 *
 * @param {Selection} selection
 * @param {string} card
 * @returns {Selection}
 */
export function pickCard(selection, card) {
  return { ...NOTHING, keep: selection.keep, card: selection.card === card ? null : card };
}

/**
 * @param {Selection} selection
 * @param {string} ticket
 * @returns {Selection}
 */
export function markTicket(selection, ticket) {
  const marked = selection.keep.includes(ticket);
  return { ...selection, keep: marked ? selection.keep.filter((id) => id !== ticket) : [...selection.keep, ticket] };
}

/**
 * One step back: first closes the chooser, then puts the color back.
 *
 * @param {Selection} selection
 * @returns {Selection}
 */
export function putBack(selection) {
  if (selection.route) return { ...NOTHING, keep: selection.keep, card: selection.card };
  return { ...NOTHING, keep: selection.keep };
}

/**
 * The part of a selection that is still legal after the view has changed.
 *
 * @param {View} view
 * @param {Selection} selection
 * @returns {Selection}
 */
export function reconcile(view, selection) {
  const claim = selection.route ? view.legal.claims[selection.route] : undefined;
  const tokens = claim ? claim.tokens : (view.legal.place?.symbols ?? []);
  return {
    route: claim ? selection.route : null,
    payment: claim ? Math.min(selection.payment ?? 0, claim.payments.length - 1) : null,
    token: selection.token && tokens.includes(selection.token) ? selection.token : only(tokens),
    card: selection.card && view.hand[selection.card] ? selection.card : null,
    keep: selection.keep.filter((ticket) => view.legal.keep?.from.includes(ticket)),
    tickets: selection.tickets && view.legal.draw_tickets,
  };
}

/**
 * The claim as picked, or null while its token is not picked yet.
 *
 * @param {View} view
 * @param {Selection} selection
 * @returns {Action | null}
 */
export function claimAction(view, { route, payment, token }) {
  const claim = route ? view.legal.claims[route] : undefined;
  const cards = claim?.payments[payment ?? 0];
  if (!route || !claim || !cards) return null;
  if (claim.tokens.length > 1 && !token) return null;
  return { type: "claim_route", route, payment: cards, token };
}

/**
 * @param {View} view
 * @param {Selection} selection
 * @returns {Action | null}
 */
export function keepAction(view, { keep }) {
  const choice = view.legal.keep;
  return choice && keep.length >= choice.least ? { type: "keep_tickets", tickets: [...keep] } : null;
}

/**
 * @param {View} view
 * @param {Selection} selection
 * @param {string} location
 * @returns {Action | null}
 */
export function placeAction(view, { token }, location) {
  const open = view.legal.place?.locations.includes(location);
  return open && token ? { type: "place_token", symbol: token, location } : null;
}

/**
 * @param {Claim} claim
 * @param {string} card
 */
function pays(claim, card) {
  return claim.payments.some((payment) => card in payment);
}

/** @param {readonly string[]} items */
function only(items) {
  return items.length === 1 ? (items[0] ?? null) : null;
}
