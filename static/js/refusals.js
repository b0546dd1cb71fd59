// A refusal in place: what was wrong, beside what was entered, which stays.

import { Refusal } from "./api.js";
import { setAttribute, setText } from "./dom.js";
import { knows, LANGUAGE, t } from "./text.js";

/**
 * What was refused, in the language of the page. The server's own sentence is English.
 *
 * @param {import("./api.js").Told} told
 * @returns {string}
 */
export function whyRefused({ code, detail, reason, facts }) {
  if (reason && knows(`reason.${reason}`)) return t(`reason.${reason}`, facts);
  if (detail && LANGUAGE === "en" && code !== "stale_version") return detail;
  return t(knows(`refused.${code}`) ? `refused.${code}` : "refused.unavailable");
}

/**
 * Runs what a control starts: the control is busy meanwhile, and a refusal is shown where it belongs.
 *
 * @param {HTMLElement} control
 * @param {HTMLElement} trouble
 * @param {() => Promise<unknown>} action
 */
export async function attempt(control, trouble, action) {
  if (control.getAttribute("aria-busy") === "true") return;
  setAttribute(control, "aria-busy", "true");
  setAttribute(trouble, "hidden", true);
  try {
    await action();
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    setText(trouble, whyRefused(refusal.told));
    setAttribute(trouble, "hidden", false);
  } finally {
    setAttribute(control, "aria-busy", null);
  }
}
