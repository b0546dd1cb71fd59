// The code and the link to pass round.

import { bindCopy } from "./copy.js";
import { byId, setAttribute, setText } from "./dom.js";
import { t } from "./text.js";

/** @param {string} code */
export function bindInvitation(code) {
  const link = byId("link", HTMLInputElement);
  setText(byId("code-label", HTMLElement), t("lobby.code"));
  setText(byId("code", HTMLElement), spaced(code));
  setAttribute(link, "aria-label", t("lobby.link"));
  link.value = document.body.dataset.link || location.href.split(/[?#]/)[0] || "";
  bindCopy(byId("copy", HTMLButtonElement), link, {
    idle: t("lobby.copy"),
    copied: t("lobby.copied"),
    byHand: t("lobby.copy_by_hand"),
  });
  bindShare(byId("share", HTMLButtonElement), link.value);
  bindScan(byId("scan", HTMLDetailsElement), byId("scan-code", HTMLImageElement));
}

/**
 * The code comes where a camera sees all of it.
 *
 * @param {HTMLDetailsElement} details
 * @param {HTMLImageElement} code
 */
function bindScan(details, code) {
  details.addEventListener("toggle", () => details.open && code.scrollIntoView({ block: "nearest" }));
}

/**
 * The system's own way to pass a link on, where there is one.
 *
 * @param {HTMLButtonElement} button
 * @param {string} url
 */
function bindShare(button, url) {
  setAttribute(button, "hidden", !("share" in navigator));
  button.addEventListener("click", () => {
    const told = { title: document.title, text: button.dataset.text ?? "", url };
    navigator.share(told).catch(() => {
      // Whoever closes the sheet wants no more of it.
    });
  });
}

/** @param {string} code */
function spaced(code) {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
