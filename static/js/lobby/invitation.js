// The code and the link to pass round.

import { bindCopy } from "../lib/copy-link.js";
import { byId, setAttribute, setText } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** So often the picture of the code is asked for again by itself; after that whenever it is opened. */
const MOST_TRIES = 2;

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
 * The code comes where a camera sees all of it; a picture that was lost on its way is asked for again.
 *
 * @param {HTMLDetailsElement} details
 * @param {HTMLImageElement} code
 */
function bindScan(details, code) {
  const address = code.src;
  let tries = 0;
  code.addEventListener("error", () => tries < MOST_TRIES && refetch());
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
