// The table's menu: rules, language, day and night. It closes by Escape and by a touch of anything else.

import { byId } from "./dom.js";

export function bindMenu() {
  const menu = byId("menu", HTMLDetailsElement);
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}
