// What may be done now and whom we wait for, in words.

import { ends } from "./events.js";
import { person, phrase, signed, t } from "./text.js";

/** @typedef {import("./wire.js").View} View */
/** @typedef {import("./wire.js").Room} Room */
/** @typedef {import("./text.js").Phrase} Phrase */
/** @typedef {{tone: "you" | "wait" | "over", seat: number | null, title: Phrase, help: Phrase | null, last: Phrase | null}} Banner */

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
 * The ticket that is turned over, after the end.
 *
 * @param {import("./reveal.js").Turned} turned
 * @param {import("./table.js").Table} table
 * @returns {Banner}
 */
export function turning({ seat, ticket, points }, { board, tickets, nameOf }) {
  const between = tickets.get(ticket)?.between;
  const said = { name: person(nameOf(seat)), ticket: between ? ends(board, between) : ticket, points: signed(points) };
  return { tone: "over", seat, title: phrase("over.reveal"), help: phrase("over.reveal.ticket", said), last: null };
}

/**
 * The name of a seat.
 *
 * @param {Room} room
 * @param {number} seat
 */
export function nameOf(room, seat) {
  return room.seats[seat]?.name ?? "";
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
  const names = view.to_act.map((seat) => person(nameOf(room, seat)));
  const away = view.to_act.filter((seat) => room.seats[seat]?.kind === "human" && !room.seats[seat]?.connected);
  const help = away.length
    ? phrase("wait.away", { names: { kind: "list", items: away.map((seat) => person(nameOf(room, seat))) } })
    : null;
  return { title: phrase(`wait.${view.phase}`, { names: { kind: "list", items: names } }), help };
}

/**
 * @param {View} view
 * @param {Room} room
 */
export function winners(view, room) {
  const best = (view.scores ?? []).filter((score) => score.rank === 1);
  const names = best.map((score) => person(nameOf(room, score.seat)));
  const title = phrase("over.won", {
    n: best.length,
    names: { kind: "list", items: names },
    points: t("points", { n: best[0]?.total ?? 0 }),
  });
  return { title, help: phrase("over.help") };
}
