// Why something was refused, in words.

import "./later.js";
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
