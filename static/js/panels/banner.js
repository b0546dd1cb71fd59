// The turn banner, the page's title, and the state of the connection.

import { base } from "../lib/api.js";
import { byId, setAttribute, setText, show } from "../lib/dom.js";
import { setPhrase } from "../lib/rich-text.js";
import { person, phrase, t } from "../lib/text.js";
import { noteShown } from "../table/press-guard.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../lib/text.js").Phrase} Phrase */
/** @typedef {{tone: "you" | "wait" | "over", seat: number | null, title: Phrase, help: Phrase | null, last: Phrase | null}} Banner */

/** @param {Table} table */
export function bindBanner(table) {
  const box = byId("banner", HTMLElement);
  const title = byId("banner-title", HTMLElement);
  const help = byId("banner-help", HTMLElement);
  const last = byId("last-turns", HTMLElement);
  const left = byId("last-left", HTMLElement);
  const by = byId("last-by", HTMLElement);
  const pass = byId("pass", HTMLButtonElement);
  const car = byId("banner-car", SVGElement);
  const news = byId("turn-news", HTMLElement);
  setText(pass, t("do.pass"));
  pass.addEventListener("click", () => table.act({ type: "pass" }, "pass"));

  return () => {
    const { view, room } = table;
    if (!view || !room) return;
    /** @type {Banner} */
    const now = table.turned ? { tone: "over", last: null, ...table.turned } : banner(view, room);
    setAttribute(box, "data-tone", now.tone);
    setAttribute(box, "data-seat", now.seat);
    setAttribute(/** @type {Element} */ (car.firstElementChild), "href", `#car-${now.seat ?? 0}`);
    setPhrase(title, now.title);
    setPhrase(help, (!table.turned && table.invitation) || now.help);
    setPhrase(left, now.last);
    const began = now.last && table.finisher !== null ? { name: personAt(room, table.finisher) } : null;
    setPhrase(by, began && phrase("last_turns.by", began));
    setText(news, now.tone === "you" ? t(now.title.key, now.title.values) : "");
    setAttribute(last, "hidden", !now.last);
    noteShown("pass", view.legal.pass);
    setAttribute(box, "data-last", !!now.last);
    show(pass, view.legal.pass, box);
    setAttribute(pass, "aria-busy", table.sending === "pass" ? "true" : null);
  };
}

/** The key of the title's words. */
let titled = "";

/**
 * Sets the page's title and icon, and the installed app's badge. It doesn't wait for the next frame, because a hidden page draws none.
 *
 * @param {Table} table
 */
export function entitle(table) {
  const key = table.view?.phase === "over" ? "title.over" : table.mine ? "title.you" : "title";
  if (key === titled) return;
  titled = key;
  document.title = t(key, { code: table.code });
  navigator.setAppBadge?.(table.mine ? 1 : 0).catch(() => {});
  const icon = document.querySelector("link[rel=icon]");
  if (icon) setAttribute(icon, "href", `${base()}static/icon${table.mine ? "-turn" : ""}.svg`);
}

/** @param {import("../table/connection.js").Status | "barred"} status */
export function showConnection(status) {
  const box = byId("connection", HTMLElement);
  setAttribute(document.body, "data-connection", status);
  const works = status === "live" || status === "polling";
  setAttribute(box, "hidden", works || status === "connecting");
  setText(box, works ? "" : t(`connection.${status}`));
}

/**
 * @param {View} view
 * @param {Room} room
 * @returns {Banner}
 */
export function banner(view, room) {
  const last = view.last_turns === null || view.phase === "over" ? null : phrase("last_turns", { n: view.last_turns });
  if (view.phase === "over") return { tone: "over", seat: null, ...winners(view, room), last };
  const mine = view.to_act.some((seat) => seat === view.seat);
  return {
    tone: mine ? "you" : "wait",
    seat: view.to_act[0] ?? null,
    ...(mine ? own(view) : others(view, room)),
    last,
  };
}

/**
 * @param {Room} room
 * @param {number} seat
 */
function personAt({ seats }, seat) {
  return person(seats[seat]?.name ?? "");
}

/** @param {View} view */
function own(view) {
  switch (view.phase) {
    case "first_tickets":
    case "keep_tickets":
      return { title: phrase("do.keep"), help: phrase("do.keep.help", { n: view.legal.keep?.from.length ?? 0 }) };
    case "tokens":
      return { title: phrase("do.place"), help: phrase("do.place.help", { n: view.unplaced.length }) };
    case "second_card":
      return { title: phrase("do.second"), help: phrase("do.second.help") };
    default:
      return { title: phrase("do.turn"), help: phrase(turnHelp(view)) };
  }
}

/** @param {View} view */
function turnHelp({ legal }) {
  if (legal.pass) return "do.pass.help";
  const draw = legal.draw.deck || legal.draw.slots.length > 0;
  const claim = Object.keys(legal.claims).length > 0;
  return `do.turn.${[draw && "draw", claim && "claim", legal.draw_tickets && "tickets"].filter(Boolean).join("_")}`;
}

/**
 * @param {View} view
 * @param {Room} room
 */
function others(view, room) {
  const names = view.to_act.map((seat) => personAt(room, seat));
  const away = view.to_act.filter((seat) => room.seats[seat]?.kind === "human" && !room.seats[seat]?.connected);
  const help = away.length
    ? phrase("wait.away", { names: { kind: "list", items: away.map((seat) => personAt(room, seat)) } })
    : null;
  return { title: phrase(`wait.${view.phase}`, { names: { kind: "list", items: names } }), help };
}

/**
 * @param {View} view
 * @param {Room} room
 */
export function winners(view, room) {
  const best = (view.scores ?? []).filter((score) => score.rank === 1);
  const names = best.map((score) => personAt(room, score.seat));
  const title = phrase("over.won", {
    n: best.length,
    names: { kind: "list", items: names },
    points: t("points", { n: best[0]?.total ?? 0 }),
  });
  return { title, help: phrase("over.help") };
}
