// The table may have shut its door on this page: then the server's page says why.

import { call, Refusal } from "./api.js";

/**
 * Loads the page anew when the table takes no one who watches, or is gone. Whatever else keeps the page from it passes.
 *
 * @param {string} code
 */
export async function lookAtDoor(code) {
  try {
    const { status } = await call("GET", `rooms/${code}`);
    if (status !== "lobby") await call("GET", `rooms/${code}/view`);
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    if (refusal.told.reason === "no_spectators" || refusal.code === "unknown_room") location.reload();
  }
}
