// The table may have shut its door on this page: then the server's page says why.

import { call, Refusal } from "./api.js";

/**
 * Loads the page anew when the table takes no one who watches, bars this player, or is gone. Whatever else keeps the page from it passes.
 *
 * @param {string} code
 */
export async function lookAtDoor(code) {
  try {
    const { status } = await call("GET", `rooms/${code}`);
    if (status !== "lobby") await call("GET", `rooms/${code}/view`);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    const isShut = refusal.told.reason === "no_spectators" || ["unknown_room", "barred"].includes(refusal.code);
    if (isShut) location.reload();
  }
}
