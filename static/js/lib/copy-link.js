// A button that copies a link.

import { setText } from "./dom.js";

const COPIED_SHOWS = 2_500;

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLInputElement} field that holds the link
 * @param {{idle: string, copied: string, byHand: string}} words
 */
export function bindCopy(button, field, words) {
  const word = /** @type {HTMLElement} */ (button.querySelector("span"));
  setText(word, words.idle);
  button.addEventListener("click", async () => {
    field.dataset.shown = "";
    field.select();
    setText(word, (await copyText(field.value)) ? words.copied : words.byHand);
    setTimeout(() => setText(word, words.idle), COPIED_SHOWS);
  });
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages that come by plain http have no clipboard, but can copy what is selected.
    return document.execCommand("copy");
  }
}
