// Runs what a control starts, and shows beside it why it was refused or what is missing.

import { Refusal } from "./api.js";
import { setAttribute, setText } from "./dom.js";
import { load } from "./lazy.js";
import { t } from "./text.js";

/**
 * The sentence for a refusal. The sentences are loaded on demand; if that fails, the server can't be reached.
 *
 * @param {import("./api.js").Told} told
 * @returns {Promise<string>}
 */
export async function explain(told) {
  const refusals = await load("lib/refusals").catch(() => null);
  return refusals?.whyRefused(told) ?? t("refused.unreachable");
}

/**
 * Says what is wrong with a field, until it is changed.
 *
 * @param {HTMLInputElement} field
 * @param {HTMLElement} trouble
 * @param {string} key of the words
 */
export function wrong(field, trouble, key) {
  setText(trouble, t(key));
  setAttribute(trouble, "hidden", false);
  setAttribute(field, "aria-invalid", "true");
  field.focus();
  const right = () => {
    setAttribute(trouble, "hidden", true);
    setAttribute(field, "aria-invalid", null);
  };
  field.addEventListener("input", right, { once: true });
}

/**
 * Runs an action. The control is busy meanwhile, and a refusal is shown.
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
    setText(trouble, await explain(refusal.told));
    setAttribute(trouble, "hidden", false);
    trouble.scrollIntoView({ block: "nearest" });
  } finally {
    setAttribute(control, "aria-busy", null);
  }
}
