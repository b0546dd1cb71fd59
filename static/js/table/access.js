// The table may have shut its door on this page, or this device was signed out: then a page of the server says why.

import { base, call, Refusal } from "../lib/api.js";

/**
 * Loads the page anew when the table takes no one who watches, bars this player, or is gone, and leaves it when its player is
 * signed out here. Whatever else keeps the page from the table passes.
 *
 * @param {string} code
 */
export async function checkAccess(code) {
  try {
    if (document.body.dataset.me) await call("GET", "players/me");
    const { status } = await call("GET", `rooms/${code}`);
    if (status !== "lobby") await call("GET", `rooms/${code}/view`);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (refusal.status === 401) location.replace(`${base()}signed-out?table=${code}`);
    const isShut = refusal.told.reason === "no_spectators" || ["unknown_room", "barred"].includes(refusal.code);
    if (isShut) location.reload();
  }
}
