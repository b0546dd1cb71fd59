// Cards and piles as buttons, in market and hand alike.

import { h, isNew, setAttribute, setText, symbol } from "./dom.js";

/**
 * A card to press. `face` is a color, `ferry`, `deck` or `tickets`; it can change.
 *
 * @param {() => void} pressed
 */
export function cardButton(pressed) {
  const button = h("button", { type: "button", class: "card" }, symbol(""), h("span", { class: "count" }));
  button.addEventListener("click", () => button.getAttribute("aria-disabled") !== "true" && pressed());
  return button;
}

/**
 * @param {HTMLElement} button
 * @param {{face: string | null, icon: string, label: string, count: number | null, open: boolean, busy: boolean}} card
 */
export function showCard(button, { face, icon, label, count, open, busy }) {
  if (!isNew(button, face, label, count, open, busy)) return;
  setAttribute(button, "data-color", face);
  setAttribute(button, "aria-label", label);
  setAttribute(button, "title", label);
  setAttribute(button, "aria-disabled", open ? null : "true");
  setAttribute(button, "aria-busy", busy ? "true" : null);
  const use = button.querySelector("use");
  if (use) setAttribute(use, "href", face ? `#${icon}` : null);
  const number = button.querySelector(".count");
  if (number) setText(number, count === null ? "" : String(count));
}
