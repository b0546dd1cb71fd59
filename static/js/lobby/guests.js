// Guests in the lobby: more people who play on this device, at tables that allow it.

import "../lib/more-words.js";
import { call, randomHex, wellFormed } from "../lib/api.js";
import { attempt, wrong } from "../lib/attempt.js";
import { byId, h, setAttribute, setText, show, symbol } from "../lib/dom.js";
import { recallNonce, storeNonce } from "../lib/nonces.js";
import { person, t } from "../lib/text.js";

/** @typedef {import("../table/table.js").Table} Table */
/** @typedef {import("../wire.js").Room} Room */

/**
 * @param {Table} table
 * @returns {() => void}
 */
export function bindGuests(table) {
  const form = byId("guest", HTMLFormElement);
  const name = byId("guest-name", HTMLInputElement);
  const button = byId("guest-add", HTMLButtonElement);
  const trouble = byId("guest-trouble", HTMLElement);
  /** @type {Set<number>} seats of guests whose nonce was given or is being sent */
  const given = new Set();

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (name.value.trim()) attempt(button, trouble, add);
    else wrong(name, trouble, "wrong.name");
  });

  async function add() {
    const { seat } = await call("POST", `rooms/${table.code}/guests`, { name: wellFormed(name.value.trim()) });
    name.value = "";
    await give(seat);
  }

  /** @param {number} seat */
  async function give(seat) {
    given.add(seat);
    await giveNonce(table.code, seat).catch(() => given.delete(seat));
  }

  /**
   * @param {HTMLElement} control
   * @param {number} seat of a guest
   */
  function free(control, seat) {
    attempt(control, trouble, () => call("POST", `rooms/${table.code}/leave?seat=${seat}`));
  }

  return () => {
    const { room, seat } = table;
    if (room?.status !== "lobby") return;
    const isFull = room.seats.every(({ kind }) => kind !== null);
    show(form, seat !== null && !isFull, byId("lobby", HTMLElement));
    for (const each of room.seats) {
      markGuest(room, each.seat);
      offerToFree(each, each.guardian !== null && each.guardian === seat && room.host !== seat, free);
      if (each.guardian === null) given.delete(each.seat);
      else if (each.guardian === seat && !given.has(each.seat)) give(each.seat);
    }
  };
}

/**
 * Gives the nonce of a guest's seat, a single one, as `join` does for this player's.
 *
 * @param {string} code of the table
 * @param {number} seat
 */
async function giveNonce(code, seat) {
  const place = `${code}/${seat}`;
  const { commitment } = await call("GET", `rooms/${code}`);
  const kept = recallNonce(place) ?? { commitment, nonce: randomHex() };
  storeNonce(place, kept);
  const told = await call("POST", `rooms/${code}/join?seat=${seat}`, { nonce: kept.nonce });
  storeNonce(place, { ...kept, counts: told.nonce === kept.nonce });
}

/**
 * Lets a guardian who isn't the host free a guest's seat. The host has a button for every seat.
 *
 * @param {import("../wire.js").SeatView} seat
 * @param {boolean} offered
 * @param {(button: HTMLElement, seat: number) => void} free
 */
function offerToFree({ seat, name }, offered, free) {
  const line = document.querySelector(`#seats > [data-seat="${seat}"]`);
  const old = line?.querySelector(".guest-free");
  const label = t("lobby.remove.name", { name: person(name) });
  if (!offered || old) {
    if (old && offered) setAttribute(old, "aria-label", label);
    else old?.remove();
    return;
  }
  const looks = { type: "button", class: "round quiet guest-free", "aria-label": label, title: t("lobby.remove") };
  const button = h("button", looks, symbol("ui-close", "icon"));
  button.addEventListener("click", () => free(button, seat));
  line?.append(button);
}

/**
 * Says beside a guest's name whose device the guest plays on.
 *
 * @param {Room} room
 * @param {number} seat
 */
function markGuest({ seats }, seat) {
  const line = document.querySelector(`#seats > [data-seat="${seat}"] .seat-name`);
  const guardian = seats[seat]?.guardian ?? null;
  const mark = line?.querySelector(".seat-device") ?? h("span", { class: "seat-device" });
  setText(mark, guardian === null ? "" : t("guests.device", { name: person(seats[guardian]?.name ?? "") }));
  setAttribute(mark, "hidden", guardian === null);
  if (mark.parentElement !== line) line?.append(mark);
}
