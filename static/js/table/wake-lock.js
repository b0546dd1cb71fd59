// Keeps the screen on while a game of one's own is visible, for those who turn it on, in browsers that can.

import { recall, remember } from "../lib/storage.js";

const KEY = "fogline-awake";

let wanted = recall(KEY) === "on";
/** @type {WakeLockSentinel | null} */
let lock = null;
let settling = false;

export const canStayAwake = () => "wakeLock" in navigator;
export const isAwakeWanted = () => wanted;

/** @param {boolean} on */
export function wantAwake(on) {
  wanted = on;
  remember(KEY, on ? "on" : "off");
  settle();
}

function isDue() {
  const { state, watching } = document.body.dataset;
  return wanted && canStayAwake() && !document.hidden && state === "playing" && watching === undefined;
}

async function settle() {
  if (settling) return;
  settling = true;
  const due = isDue();
  if (due && (!lock || lock.released)) lock = await navigator.wakeLock.request("screen").catch(() => null);
  if (!due) await lock?.release();
  settling = false;
  if (isDue() !== due) settle();
}

// when the game begins or ends, and when the page becomes visible: browsers release the lock of a hidden page
document.addEventListener("visibilitychange", settle);
new MutationObserver(settle).observe(document.body, { attributeFilter: ["data-state", "data-watching"] });
settle();
