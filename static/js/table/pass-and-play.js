// The curtain between players who share a device, which shows the cards of one of them at a time.

import "../lib/more-words.js";
import { afterFrame, h, setAttribute, setText, symbol } from "../lib/dom.js";
import { load } from "../lib/lazy.js";
import { person, t } from "../lib/text.js";
import { bindGuests } from "../lobby/guests.js";

/** @typedef {import("./table.js").Table} Table */
/** @typedef {import("../wire.js").Room} Room */
/** @typedef {import("../wire.js").RoomMessage} RoomMessage */

/**
 * @param {Table} table
 * @returns {(message: RoomMessage) => boolean} whether a message must not be shown yet
 */
export function bindPassAndPlay(table) {
  const device = new Device(table);
  const [update, { changed }] = [bindGuests(table), table];
  table.changed = () => {
    changed();
    afterFrame(update);
  };
  return (message) => device.hides(message);
}

class Device {
  /** @type {number | null} the seat whose cards the page shows, hidden from the other players on this device */
  #viewer = null;
  /** @type {number | null} the seat whose player the curtain waits for */
  #asked = null;
  /** Whether that player has confirmed, and the cards are being fetched. */
  #isThere = false;

  #title = h("h2", { id: "curtain-title", tabindex: -1, autofocus: true, "aria-live": "polite" });
  #button = h("button", { type: "button", class: "main-action" });
  #car = h("p", { class: "curtain-car" });
  #curtain = h(
    "dialog",
    { class: "curtain", id: "curtain", closedby: "none", "aria-labelledby": "curtain-title" },
    this.#car,
    this.#title,
    h("p", {}, t("curtain.help")),
    this.#button,
  );

  /** @param {Table} table */
  constructor(table) {
    this.table = table;
    this.#button.addEventListener("click", () => this.#come());
    this.#curtain.addEventListener("cancel", (event) => event.preventDefault());
    this.#curtain.addEventListener("close", () => this.#asked !== null && this.#curtain.showModal());
    document.body.append(this.#curtain);
    // a page in the back/forward cache would show the cards to whoever goes back
    addEventListener("pagehide", () => this.#viewer !== null && hidePage());
    addEventListener("pageshow", ({ persisted }) => persisted && document.body.hidden && location.reload());
  }

  /**
   * Whether a message must not be shown, because the player whose turn it is hasn't taken the device yet.
   *
   * @param {RoomMessage} message
   */
  hides({ room, seat, view }) {
    const own = seat === null ? [] : seatsOfDevice(room, seat);
    if (seat === null || own.length < 2 || !view || view.scores) return this.#show(null);
    const due = own.filter((each) => view.to_act.includes(each));
    const next = nextOf(due, this.#viewer ?? this.#asked ?? seat);
    if (this.#viewer !== null) return next !== this.#viewer && this.#passOn();
    if (this.#isThere && next === this.#asked) return seat !== next || this.#show(seat);
    this.#ask(room, next, due.length > 0);
    return true;
  }

  /**
   * @param {number | null} viewer whose cards are shown from now on; null if there are none to hide
   * @returns {false}
   */
  #show(viewer) {
    this.#viewer = viewer;
    this.#asked = null;
    this.#isThere = false;
    setAttribute(this.#button, "aria-busy", null);
    this.#curtain.close();
    return false;
  }

  /** Reloads the page, so that nothing is left of what the last viewer was shown. */
  #passOn() {
    hidePage();
    document.title = t("title", { code: this.table.code });
    location.reload();
    return true;
  }

  /**
   * @param {Room} room
   * @param {number} seat
   * @param {boolean} isDue
   */
  #ask(room, seat, isDue) {
    if (seat !== this.#asked && isDue && document.hidden) this.#tellOfTurn();
    const name = person(room.seats[seat]?.name ?? "");
    this.#asked = seat;
    this.#isThere = false;
    this.#car.replaceChildren(symbol(`car-${seat}`, "player-car"));
    setText(this.#title, t("curtain.pass", { name }));
    setText(this.#button, t("curtain.show", { name }));
    setAttribute(this.#button, "aria-busy", null);
    if (!this.#curtain.open) this.#curtain.showModal();
  }

  /** The player whom the curtain waits for has the device now. */
  #come() {
    const { connection } = this.table;
    if (!connection || this.#asked === null || this.#isThere) return;
    this.#isThere = true;
    setAttribute(this.#button, "aria-busy", "true");
    const url = new URL(connection.url);
    url.searchParams.set("seat", String(this.#asked));
    connection.url = url.href;
    connection.renew();
  }

  async #tellOfTurn() {
    const notice = await load("table/notifications").catch(() => null);
    notice?.tellOfTurn(this.table.code);
  }
}

/**
 * The seats of all players who share a seat's device.
 *
 * @param {Room} room
 * @param {number} seat
 */
function seatsOfDevice(room, seat) {
  const holder = room.seats[seat]?.guardian ?? seat;
  return room.seats.filter((each) => each.seat === holder || each.guardian === holder).map((each) => each.seat);
}

/**
 * The seat whose cards are shown next: one that must act, else the last one shown.
 *
 * @param {readonly number[]} due
 * @param {number} last
 */
function nextOf(due, last) {
  return due.includes(last) ? last : (due[0] ?? last);
}

function hidePage() {
  document.body.hidden = true;
}
