// A notification when it becomes this player's turn and the tab is hidden, for those who turned them on.

import { base, tablePath } from "../lib/api.js";
import { recall, remember } from "../lib/storage.js";
import { t } from "../lib/text.js";

const KEY = "fogline-notices";

/** Whether notifications are turned on, and still allowed. */
export function areWanted() {
  return "Notification" in window && Notification.permission === "granted" && recall(KEY) === "on";
}

/** Whether the browser can show notifications: by the page, or by a service worker, which needs TLS. */
export function arePossible() {
  if (!("Notification" in window)) return false;
  if (hasServiceWorkers()) return true;
  const notice = make("", {});
  notice?.close();
  return notice !== null;
}

/**
 * Turns notifications on or off. The browser asks the user for permission the first time.
 *
 * @param {boolean} wanted
 * @returns {Promise<boolean>} whether they are on now
 */
export async function want(wanted) {
  const allowed = wanted && (await Notification.requestPermission()) === "granted";
  remember(KEY, allowed ? "on" : "off");
  return allowed;
}

/**
 * Says that it is this player's turn, and nothing else of the game. A tap leads to the tab; seeing the tab closes the notification.
 *
 * @param {string} code of the table
 */
export async function tellOfTurn(code) {
  if (!areWanted() || !document.hidden) return;
  const looks = { body: t("title", { code }), tag: `fogline-${code}`, icon: `${base()}static/icons/round-192.png` };
  const notice = make(t("do.turn"), looks);
  if (notice) {
    notice.onclick = () => {
      window.focus();
      notice.close();
    };
    whenSeen(() => notice.close());
  } else if (hasServiceWorkers()) {
    await send(t("do.turn"), { ...looks, data: new URL(tablePath(code), location.href).href });
  }
}

/**
 * Null on phones, where only a service worker may show notifications.
 *
 * @param {string} title
 * @param {NotificationOptions} looks
 */
function make(title, looks) {
  try {
    return new Notification(title, looks);
  } catch {
    return null;
  }
}

/**
 * @param {string} title
 * @param {NotificationOptions} looks
 */
async function send(title, looks) {
  const registration = await navigator.serviceWorker.register(`${base()}static/js/service-worker.js`);
  await readiness(registration.installing ?? registration.waiting);
  await registration.showNotification(title, looks);
  whenSeen(async () => {
    for (const notice of await registration.getNotifications()) if (notice.tag === looks.tag) notice.close();
  });
}

/** @param {ServiceWorker | null} worker */
function readiness(worker) {
  return new Promise((done) => {
    if (!worker || worker.state === "activated") done(null);
    worker?.addEventListener("statechange", () => worker.state === "activated" && done(null));
  });
}

/** @param {() => void} then */
function whenSeen(then) {
  if (document.hidden) document.addEventListener("visibilitychange", then, { once: true });
  else then();
}

function hasServiceWorkers() {
  return "serviceWorker" in navigator;
}
