// After the end the tickets are turned over one by one, each with its path on the board, until somebody skips the rest.

import { byId, setText, show } from "./dom.js";
import { t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./wire.js").Score} Score */
/** @typedef {{seat: number, ticket: string, points: number}} Turned */

const PAUSE = 1_200;
/** The whole takes no longer than this. */
const LONGEST = 16_000;

/**
 * All tickets in the order of the seats.
 *
 * @param {readonly Score[]} scores
 * @returns {Turned[]}
 */
export function turnedOver(scores) {
  const seated = [...scores].sort((one, other) => one.seat - other.seat);
  return seated.flatMap(({ seat, tickets }) => tickets.map(({ id, points }) => ({ seat, ticket: id, points })));
}

/**
 * @param {Table} table
 * @param {HTMLElement} box with the results, whose tickets have their rows
 * @param {readonly Score[]} scores
 */
export function reveal(table, box, scores) {
  const skip = byId("reveal-skip", HTMLButtonElement);
  const coming = turnedOver(scores);
  const pause = Math.min(PAUSE, LONGEST / coming.length);
  let timer = 0;

  function next() {
    const turned = coming.shift();
    if (!turned) return finish();
    const row = box.querySelector(`[data-seat="${turned.seat}"] [data-ticket="${turned.ticket}"]`);
    row?.classList.add("turned");
    row?.scrollIntoView({ block: "nearest" });
    table.turnOver(turned);
    timer = setTimeout(next, pause);
  }

  function finish() {
    clearTimeout(timer);
    document.removeEventListener("keydown", press);
    box.classList.remove("revealing");
    byId("scores-title", HTMLElement).scrollIntoView({ block: "nearest" });
    show(skip, false, byId("banner", HTMLElement));
    table.turnOver(null);
  }

  /** @param {KeyboardEvent} event */
  function press({ key }) {
    if (key === "Escape") finish();
  }

  setText(skip, t("over.reveal.skip"));
  document.addEventListener("keydown", press);
  skip.addEventListener("click", finish, { once: true });
  box.classList.add("revealing");
  show(skip, true, null);
  next();
}

/** Whether there is someone to watch it, who likes motion. */
export function isWatched() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
