// The state of a table's page: the room, the view and the selection, and sending actions.

import { explain } from "../lib/attempt.js";
import { isMeant, renew } from "./press-guard.js";
import * as picks from "./selection.js";

/** @typedef {import("../wire.js").View} View */
/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").Board} Board */
/** @typedef {import("../wire.js").Action} Action */
/** @typedef {import("../wire.js").RoomMessage} RoomMessage */
/** @typedef {import("./connection.js").Connection} Connection */

/**
 * Whether a message is as new as what is known, or newer. A lobby has no version, and a message of the same version may tell who came or
 * went.
 *
 * @param {RoomMessage | null} known
 * @param {RoomMessage} told
 */
export function isNews(known, told) {
  return !known?.view || (told.view !== null && told.view.version >= known.view.version);
}

/**
 * The events since the message before. Those of a first message are past.
 *
 * @param {RoomMessage | null} known
 * @param {RoomMessage} told
 */
export function since(known, told) {
  const seen = known?.view?.version ?? Number.POSITIVE_INFINITY;
  return told.events.filter(({ version }) => version > seen);
}

export class Table {
  /** @type {Room | null} */
  room = null;
  /** @type {number | null} this player's seat, in the lobby too */
  seat = null;
  /** @type {View | null} */
  view = null;
  /** @type {picks.Selection} */
  selection = picks.NOTHING;
  /** @type {string | null} the control whose action is being sent */
  sending = null;
  /** @type {number} the least version of the game that includes the action that was sent */
  awaited = 0;
  /** @type {string | null} why the last action was refused */
  trouble = null;
  /** @type {string | null} this player's ticket that stays lit */
  ticket = null;
  /** @type {string | null} this player's ticket that is lit while pointer or focus is on it */
  glance = null;
  /** @type {import("../end/scores.js").TurnedInWords | null} the ticket that was turned over last, after the end */
  turned = null;
  /** @type {number | null} the seat whose network is lit */
  network = null;
  /** @type {number | null} the seat that began the last turns */
  finisher = null;
  /** @type {import("../lib/text.js").Phrase | null} that somebody wants another game, after the end */
  invitation = null;
  /** Whether the game was seen before its end. */
  played = false;
  /** Asks for a redraw. */
  changed = () => {};

  /**
   * @param {string} code
   * @param {Board} board
   */
  constructor(code, board) {
    this.code = code;
    this.board = board;
    /** @type {Connection | null} */
    this.connection = null;
    this.routes = new Map(board.routes.map((route) => [route.id, route]));
    this.tickets = new Map(board.tickets.map((ticket) => [ticket.id, ticket]));
  }

  /** @param {number} seat */
  nameOf = (seat) => this.room?.seats[seat]?.name ?? "";

  /** Whether this player is to act. */
  get mine() {
    return this.view?.to_act.some((seat) => seat === this.view?.seat) ?? false;
  }

  /**
   * The chat that this reader may write in.
   *
   * @returns {"players" | "spectators"}
   */
  get circle() {
    return this.seat === null ? "spectators" : "players";
  }

  /** The ticket whose locations and path are lit. */
  get looked() {
    return this.turned?.ticket ?? this.glance ?? this.ticket;
  }

  /** @param {picks.Selection} selection */
  select(selection) {
    this.selection = selection;
    this.trouble = null;
    this.changed();
  }

  /** @param {string | null} ticket */
  light(ticket) {
    this.ticket = ticket;
    this.changed();
  }

  /** @param {string | null} ticket */
  glanceAt(ticket) {
    if (this.glance === ticket) return;
    this.glance = ticket;
    this.changed();
  }

  /** @param {import("../end/scores.js").TurnedInWords | null} turned */
  turnOver(turned) {
    this.turned = turned;
    this.changed();
  }

  /** @param {number | null} seat */
  showNetwork(seat) {
    this.network = seat;
    this.changed();
  }

  /** @param {readonly import("../wire.js").GameEvent[]} events */
  hear(events) {
    for (const event of events) if (event.type === "last_turns_began") this.finisher = event.seat;
  }

  /**
   * @param {RoomMessage} message
   * @param {boolean} isFirst of its connection, and so valid even if the server has gone back to an earlier position
   */
  update({ room, seat, view }, isFirst) {
    const moved = view?.version !== this.view?.version;
    this.room = room;
    this.seat = seat;
    this.view = view;
    if (isFirst) this.awaited = 0;
    if (view) {
      this.played ||= view.scores === null;
      this.selection = picks.reconcile(view, this.selection);
      if (moved) this.trouble = null;
      if (view.version >= this.awaited && !this.connection?.busy) this.#done();
    }
    this.changed();
  }

  /**
   * Sends an action, if the press was meant for it. Until it is answered and shown, its control is busy and no other action is sent. A
   * refusal leaves the selection unchanged.
   *
   * @param {Action | null} action
   * @param {string} control
   */
  async act(action, control) {
    if (!action || !this.view || !this.connection || this.sending || !isMeant(control)) return;
    this.sending = control;
    this.trouble = null;
    this.changed();
    const answer = await this.connection.act(action, this.view.version);
    if (answer.ok) this.#played(answer.version);
    else await this.#refused(answer);
    this.changed();
  }

  /** @param {number} version */
  #played(version) {
    this.awaited = version;
    if (this.view && this.view.version >= version) this.#done();
    this.selection = this.view ? picks.reconcile(this.view, { ...picks.NOTHING }) : picks.NOTHING;
  }

  #done() {
    if (this.sending) renew(this.sending);
    this.sending = null;
  }

  /** @param {import("../lib/api.js").Told} refusal */
  async #refused(refusal) {
    this.sending = null;
    this.trouble = await explain(refusal);
  }
}
