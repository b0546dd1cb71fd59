// The result, line by line, so that everybody can add it up.

import "./later.js";
import { byId, h, setAttribute, setText, symbol } from "./dom.js";
import { ends } from "./events.js";
import { bindFairness } from "./fairness.js";
import { load } from "./late.js";
import { bindRematch } from "./rematch.js";
import { isWatched, reveal } from "./reveal.js";
import { plain, signed, t } from "./text.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("./wire.js").Score} Score */

/** @param {Table} table */
export function bindScores(table) {
  const panel = byId("panel-scores", HTMLElement);
  const box = byId("scores", HTMLElement);
  setText(byId("scores-title", HTMLElement), t("scores.title"));
  const rematch = bindRematch(table);
  const fairness = bindFairness(table);
  bindPostcard(table);
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
function bindPostcard(table) {
  const button = byId("postcard", HTMLButtonElement);
  const news = byId("postcard-news", HTMLElement);
  setText(/** @type {HTMLElement} */ (button.querySelector("span")), t("postcard.share"));
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-busy")) return;
    setAttribute(button, "aria-busy", "true");
    const postcard = await load("postcard").catch(() => null);
    const done = await postcard?.sendPostcard(table).catch(() => null);
    setText(news, done ?? t("postcard.failed"));
    setAttribute(button, "aria-busy", null);
  });
}

/**
 * A score, by which one's network is lit while pointer or focus is on it.
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
