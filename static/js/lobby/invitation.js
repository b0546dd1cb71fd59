// The table's code, link and QR code.

import { bindCopy } from "../lib/copy-link.js";
import { byId, setAttribute, setText } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** How often the QR code is requested again by itself; after that, whenever it is opened. */
const MOST_RETRIES = 2;

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
 * Scrolls the opened QR code into view, and requests it again if it failed to load.
 *
 * @param {HTMLDetailsElement} details
 * @param {HTMLImageElement} code
 */
function bindScan(details, code) {
  const address = code.src;
  let tries = 0;
  code.addEventListener("error", () => tries < MOST_RETRIES && refetch());
  details.addEventListener("toggle", () => {
    if (details.open && code.complete && !code.naturalWidth) refetch();
    if (details.open) code.scrollIntoView({ block: "nearest" });
  });

  function refetch() {
    tries += 1;
    code.src = `${address}?retry=${tries}`;
  }
}

/**
 * Offers the share sheet of the system, if there is one.
 *
 * @param {HTMLButtonElement} button
 * @param {string} url
 */
function bindShare(button, url) {
  setAttribute(button, "hidden", !("share" in navigator));
  button.addEventListener("click", () => {
    const told = { title: document.title, text: button.dataset.text ?? "", url };
    navigator.share(told).catch(() => {
      // The sheet was closed.
    });
  });
}

/** @param {string} code */
function spaced(code) {
  return `${code.slice(0, 4)} ${code.slice(4)}`;
}
