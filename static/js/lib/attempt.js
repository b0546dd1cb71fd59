// What a control starts, and what is said when it is refused or lacks something: beside what was entered, which stays.

import { Refusal } from "./api.js";
import { setAttribute, setText } from "./dom.js";
import { load } from "./lazy.js";
import { t } from "./text.js";

/**
 * What was refused, in words, which come only now. Without a network they don't come either, and that is what to say then.
 *
 * @param {import("./api.js").Told} told
 * @returns {Promise<string>}
 */
export async function explain(told) {
  const refusals = await load("lib/refusals").catch(() => null);
  return refusals?.whyRefused(told) ?? t("refused.unreachable");
}

/**
 * Says what is wrong with what was entered, until it is changed.
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
    setText(trouble, await explain(refusal.told));
    setAttribute(trouble, "hidden", false);
    trouble.scrollIntoView({ block: "nearest" });
  } finally {
    setAttribute(control, "aria-busy", null);
  }
}
