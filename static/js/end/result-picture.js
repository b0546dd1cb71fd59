// The result as a picture to share: the final board, and everybody's points below it.

import "../lib/more-words.js";
import { plain, signed, t } from "../lib/text.js";
import { winners } from "../panels/banner.js";
import { draw, toPng } from "./svg-to-png.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").Score} Score */

const WIDTH = 1200;
const MARGIN = 40;
const HEAD = 92;
const ROW = 96;
const FOOT = 28;
const GAP = 32;
/** Classes of a board for a running game, or for what is looked at. */
const TEMPORARY = ["dimmed", "on-path", "selected", "claimable", "placeable", "ticket-end", "aimed", "resting"];

/**
 * Opens the device's share sheet with the picture, or saves it if there is none.
 *
 * @param {Table} table
 * @returns {Promise<string>} what was done, in words
 */
export async function sendPicture(table) {
  const file = new File([await pictureOf(table)], `fogline-${table.code.toLowerCase()}.png`, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    const refusal = await navigator.share({ files: [file] }).catch((/** @type {DOMException} */ error) => error);
    if (!refusal || refusal.name === "AbortError") return "";
  }
  save(file);
  return t("picture.saved", { file: file.name });
}

/**
 * @param {Table} table
 * @returns {Promise<Blob>} a PNG
 */
async function pictureOf(table) {
  const board = boardAsItIs();
  const { width, height } = board.viewBox.baseVal;
  const map = Math.round((WIDTH * height) / width);
  const scores = [...(table.view?.scores ?? [])].sort((one, other) => one.rank - other.rank);
  const whole = map + HEAD + Math.ceil(scores.length / 2) * ROW + FOOT;
  const card = draw("svg", { width: WIDTH, height: whole, viewBox: `0 0 ${WIDTH} ${whole}` });
  for (const [name, value] of Object.entries({ width: WIDTH, height: map })) board.setAttribute(name, String(value));
  document.body.append(hidden(card));
  try {
    card.append(board, ...below(table, scores, map, whole));
    for (const text of card.querySelectorAll("text[data-room]")) squeeze(/** @type {SVGTextElement} */ (text));
    return await toPng(/** @type {SVGElement} */ (card), WIDTH, whole);
  } finally {
    card.parentElement?.remove();
  }
}

/** A copy of the board without anything temporary. */
function boardAsItIs() {
  const board = /** @type {SVGSVGElement} */ (document.querySelector("svg.board")?.cloneNode(true));
  for (const element of board.querySelectorAll(".hit, .glow")) element.remove();
  for (const element of [board, ...board.querySelectorAll("*")]) element.classList.remove(...TEMPORARY);
  return board;
}

/** @param {SVGElement} card which must be in the page for its styles, but not visible */
function hidden(card) {
  const place = document.createElement("div");
  place.className = "unseen";
  place.setAttribute("aria-hidden", "true");
  place.append(card);
  return place;
}

/**
 * @param {Table} table
 * @param {Score[]} scores by rank
 * @param {number} top
 * @param {number} bottom
 */
function below(table, scores, top, bottom) {
  const { view, room } = table;
  if (!view || !room) return [];
  const { title } = winners(view, room);
  const headline = words(t(title.key, title.values), { x: MARGIN, y: top + 60, size: 38, weight: 700, room: 860 });
  const name = words("Fogline", {
    x: WIDTH - MARGIN,
    y: top + 58,
    size: 30,
    weight: 700,
    ink: "--accent",
    anchor: "end",
  });
  const rows = scores.flatMap((score, index) => result(table, score, index, top + HEAD));
  return [sheet("--sheet", top, bottom - top), sheet("--accent", top, 6), headline, name, ...rows];
}

/**
 * @param {Table} table
 * @param {Score} score
 * @param {number} index
 * @param {number} top of the first row
 */
function result({ nameOf, view }, score, index, top) {
  const wide = (WIDTH - 2 * MARGIN - GAP) / 2;
  const [x, y] = [MARGIN + (index % 2) * (wide + GAP), top + Math.floor(index / 2) * ROW];
  const end = { x: x + wide, anchor: "end" };
  return [
    draw("rect", { x: x - 8, y: y + 2, width: 100, height: 62, rx: 12, fill: color("--rim") }),
    draw("use", { href: `#car-${score.seat}`, x, y: y + 12, width: 84, height: 42 }),
    words(`${score.rank}. ${nameOf(score.seat)}`, { x: x + 100, y: y + 32, size: 28, weight: 700, room: wide - 184 }),
    words(plain(score.total), { ...end, y: y + 40, size: 42, weight: 700 }),
    words(sum(score, view?.players[score.seat]?.tokens.length ?? 0), {
      x: x + 100,
      y: y + 62,
      size: 18,
      weight: 500,
      ink: "--soft-ink",
      room: wide - 184,
    }),
  ];
}

/**
 * @param {Score} score
 * @param {number} tokens
 */
function sum({ routes, tickets, tokens: worth }, tokens) {
  const all = tickets.reduce((points, ticket) => points + ticket.points, 0);
  const parts = [
    [t("scores.routes"), routes],
    [t("tab.tickets"), all],
    [t("scores.tokens", { n: tokens }), worth],
  ];
  return parts.map(([what, points]) => `${what} ${signed(Number(points))}`).join(" · ");
}

/**
 * @param {string} text
 * @param {{x: number, y: number, size: number, weight: number, ink?: string, anchor?: string, room?: number}} looks
 */
function words(text, { x, y, size, weight, ink = "--ink", anchor = "start", room = 0 }) {
  const looks = { x, y, "font-size": size, "font-weight": weight, "text-anchor": anchor, fill: color(ink) };
  return draw("text", { ...looks, ...(room ? { "data-room": room } : {}) }, text);
}

/** @param {SVGTextElement} text that is condensed to the width of its room */
function squeeze(text) {
  const room = Number(text.dataset.room);
  if (text.getComputedTextLength() <= room) return;
  text.setAttribute("textLength", String(room));
  text.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

/**
 * @param {string} paint
 * @param {number} y
 * @param {number} height
 */
function sheet(paint, y, height) {
  return draw("rect", { x: 0, y, width: WIDTH, height, fill: color(paint) });
}

/** @param {string} name of a custom property of the page */
function color(name) {
  return getComputedStyle(document.body).getPropertyValue(name).trim();
}

/** @param {File} file */
function save(file) {
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), { href: address, download: file.name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
