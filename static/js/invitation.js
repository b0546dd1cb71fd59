// The code and the link to pass round.

import { byId, setAttribute, setText } from "./dom.js";
import { t } from "./text.js";

const COPIED_SHOWS = 2_500;

/** @param {string} code */
export function bindInvitation(code) {
  const link = byId("link", HTMLInputElement);
  const copy = byId("copy", HTMLButtonElement);
  const word = /** @type {HTMLElement} */ (copy.querySelector("span"));
  setText(byId("code-label", HTMLElement), t("lobby.code"));
  setText(byId("code", HTMLElement), spaced(code));
  setAttribute(link, "aria-label", t("lobby.link"));
  link.value = document.body.dataset.link || location.href.split(/[?#]/)[0] || "";
  setText(word, t("lobby.copy"));
  copy.addEventListener("click", async () => {
    link.select();
    const copied = await copyText(link.value);
    setText(word, t(copied ? "lobby.copied" : "lobby.copy_by_hand"));
    setTimeout(() => setText(word, t("lobby.copy")), COPIED_SHOWS);
  });
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string} code */
function spaced(code) {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
