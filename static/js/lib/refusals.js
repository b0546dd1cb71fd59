// The sentences for refusals.

import "./more-words.js";
import { knows, t } from "./text.js";

/**
 * The sentence in the language of the page. The server's own sentence is for programmers.
 *
 * @param {import("./api.js").Told} told
 * @returns {string}
 */
export function whyRefused({ code, reason, facts }) {
  if (reason && knows(`reason.${reason}`)) return t(`reason.${reason}`, facts);
  return t(knows(`refused.${code}`) ? `refused.${code}` : "refused.unavailable");
}
