// Checks whether this player may still see the table. If not, a page of the server says why.

import { base, call, Refusal } from "../lib/api.js";

/**
 * Reloads the page if the table allows no spectators, bars this player, or is gone; leaves it if this device was signed out. Any other
 * failure is temporary.
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
    const isClosed = refusal.told.reason === "no_spectators" || ["unknown_room", "barred"].includes(refusal.code);
    if (isClosed) location.reload();
  }
}
