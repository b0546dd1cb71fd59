// A refusal in place: what was wrong, beside what was entered, which stays.

import { Refusal } from "./api.js";
import { setAttribute, setText } from "./dom.js";
import { t } from "./text.js";

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
    setText(trouble, refusal.message || t(`refused.${refusal.code}`));
    setAttribute(trouble, "hidden", false);
  } finally {
    setAttribute(control, "aria-busy", null);
  }
}
