// A notice of the system when it becomes one's turn and the tab is hidden: for those who asked for it.

import { base } from "./api.js";
import { recall, remember } from "./memory.js";
import { t } from "./text.js";

const PLACE = "fogline-notices";

/** Whether notices are wanted, and allowed still. */
export function areWanted() {
  return "Notification" in window && Notification.permission === "granted" && recall(PLACE) === "on";
}

/**
 * Whether pages may give notices at all: some browsers, on phones above all, have no way without a service worker.
 */
export function arePossible() {
  if (!("Notification" in window)) return false;
  if (Notification.permission === "granted") return true;
  try {
    new Notification("").close();
    return true;
  } catch {
    return false;
  }
}

/**
 * Turns notices on or off; the browser asks whether they are allowed when it was not asked before.
 *
 * @param {boolean} wanted
 * @returns {Promise<boolean>} whether they are on now
 */
export async function want(wanted) {
  const allowed = wanted && (await Notification.requestPermission()) === "granted";
  remember(PLACE, allowed ? "on" : "off");
  return allowed;
}

/**
 * Says that it is one's turn, and nothing else of the game. A tap leads to the tab; the notice goes when the tab is seen.
 *
 * @param {string} code of the table
 */
export function tellOfTurn(code) {
  if (!areWanted() || !document.hidden) return;
  const looks = { body: t("title", { code }), tag: `fogline-${code}`, icon: `${base()}static/icons/round-192.png` };
  const notice = new Notification(t("do.turn"), looks);
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
  document.addEventListener("visibilitychange", () => notice.close(), { once: true });
}
