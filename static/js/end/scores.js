// The result line by line, so that everybody can add it up. First the tickets are turned over one by one, each with its path on the board,
// until somebody skips the rest.

import "../lib/more-words.js";
import { ends } from "../board/route-words.js";
import { byId, h, setAttribute, setText, show, symbol } from "../lib/dom.js";
import { load } from "../lib/lazy.js";
import { person, phrase, plain, signed, t } from "../lib/text.js";
import { bindFairness } from "./fairness.js";
import { bindRematch } from "./rematch.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").Score} Score */
/** @typedef {{seat: number, ticket: string, points: number}} Turned */
/** @typedef {Turned & {title: import("../lib/text.js").Phrase, help: import("../lib/text.js").Phrase}} TurnedInWords */

/** Milliseconds between two tickets, and at most for all of them. */
const PAUSE = 1_200;
const LONGEST = 16_000;

/** @param {Table} table */
export function bindScores(table) {
  const panel = byId("panel-scores", HTMLElement);
  const box = byId("scores", HTMLElement);
  setText(byId("scores-title", HTMLElement), t("scores.title"));
  const rematch = bindRematch(table);
  const fairness = bindFairness(table);
  bindPicture(table);
  return () => {
    const scores = table.view?.scores;
    setAttribute(panel, "hidden", !scores);
    if (!scores) {
      box.replaceChildren();
      return;
    }
    rematch();
    fairness();
    if (box.childElementCount) return;
    const ranked = [...scores].sort((one, other) => one.rank - other.rank);
    box.append(...ranked.map((score) => result(table, score)));
    if (table.played && isWatched()) reveal(table, box, scores);
  };
}

/** @param {Table} table */
function bindPicture(table) {
  const button = byId("save-picture", HTMLButtonElement);
  const news = byId("picture-news", HTMLElement);
  setText(/** @type {HTMLElement} */ (button.querySelector("span")), t("picture.share"));
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-busy")) return;
    setAttribute(button, "aria-busy", "true");
    const picture = await load("end/result-picture").catch(() => null);
    const done = await picture?.sendPicture(table).catch(() => null);
    setText(news, done ?? t("picture.failed"));
    setAttribute(button, "aria-busy", null);
  });
}

/**
 * A score. While pointer or focus is on it, the seat's network is lit.
 *
 * @param {Table} table
 * @param {Score} score
 */
function result(table, score) {
  const held = table.view?.players[score.seat]?.tokens ?? [];
  const lines = [
    row(t("scores.routes"), score.routes),
    ...score.tickets.map(({ id, points, done }) =>
      row(ticketLine(table, id, done), points, done ? "done" : "lost", id),
    ),
    row(tokenLine(held), score.tokens),
  ];
  const total = h("tfoot", {}, row(t("scores.total"), score.total, "total"));
  const sum = h("table", { "aria-labelledby": `result-${score.seat}` }, h("tbody", {}, ...lines), total);
  const looks = { class: "result", "data-seat": score.seat, "data-rank": score.rank };
  const named = { tabindex: 0, "aria-labelledby": `result-${score.seat}` };
  const card = h("article", { ...looks, ...named }, heading(table, score), sum);
  card.addEventListener("focus", () => table.showNetwork(score.seat));
  card.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && table.showNetwork(score.seat));
  card.addEventListener("blur", () => table.showNetwork(null));
  card.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && table.showNetwork(null));
  return card;
}

/**
 * @param {Table} table
 * @param {Score} score
 */
function heading({ nameOf }, score) {
  const car = symbol(`car-${score.seat}`, "player-car");
  return h("h3", { id: `result-${score.seat}` }, car, h("bdi", {}, nameOf(score.seat)), prize(score));
}

/** @param {Score} score */
function prize({ rank }) {
  if (rank > 1) return h("span", { class: "rank" }, t("scores.rank", { n: rank }));
  return h("span", { class: "rank winner" }, symbol("ui-trophy", "icon"), t("scores.winner"));
}

/**
 * @param {Node | string} name
 * @param {number} points
 * @param {string} [state]
 * @param {string} [ticket]
 */
function row(name, points, state, ticket) {
  const shown = state === "total" ? plain(points) : signed(points);
  return h("tr", { "data-state": state, "data-ticket": ticket }, h("th", { scope: "row" }, name), h("td", {}, shown));
}

/**
 * @param {Table} table
 * @param {string} id
 * @param {boolean} done
 */
function ticketLine({ board, tickets }, id, done) {
  const ticket = tickets.get(id);
  const state = t(done ? "ticket.done" : "ticket.missed");
  return h(
    "span",
    { class: "ticket-line" },
    symbol(done ? "ui-check" : "ui-close", "icon"),
    h("span", {}, ticket ? ends(board, ticket.between) : id),
    h("span", { class: "unseen" }, `, ${state}`),
  );
}

/** @param {readonly string[]} tokens */
function tokenLine(tokens) {
  return h(
    "span",
    { class: "token-line" },
    t("scores.tokens", { n: tokens.length }),
    h("span", {}, ...tokens.map((token) => symbol(`token-${token}`, "badge"))),
  );
}

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
 * @param {HTMLElement} box with the results, in which each ticket has a row
 * @param {readonly Score[]} scores
 */
function reveal(table, box, scores) {
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
    table.turnOver({ ...turned, ...inWords(table, turned) });
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

/**
 * @param {Table} table
 * @param {Turned} turned
 */
function inWords({ board, tickets, nameOf }, { seat, ticket, points }) {
  const between = tickets.get(ticket)?.between;
  const said = { name: person(nameOf(seat)), ticket: between ? ends(board, between) : ticket, points: signed(points) };
  return { title: phrase("over.reveal"), help: phrase("over.reveal.ticket", said) };
}

/** Whether the page is visible, and its reader likes motion. */
function isWatched() {
  return !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}
