// The table's menu. What it offers comes when it is first opened. It closes by Escape and by a touch of anything else.

import { byId } from "../lib/dom.js";
import { need } from "../lib/lazy.js";

/** What of it leads elsewhere. */
const LEAVING = "a, #help-row";

/** @param {(settings: typeof import("./settings.js")) => void} fill */
export function bindMenu(fill) {
  const menu = byId("menu", HTMLDetailsElement);
  const opener = /** @type {HTMLElement} */ (menu.querySelector("summary"));
  let wanted = false;
  opener.addEventListener("click", open);
  menu.addEventListener("click", ({ target }) => target instanceof Element && target.closest(LEAVING) && close());
  document.addEventListener("pointerdown", ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) close();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    event.stopPropagation();
    close();
    opener.focus();
  });
  // opened before the scripts had come
  if (menu.open) open();

  /** @param {Event} [event] */
  async function open(event) {
    event?.preventDefault();
    opener.removeEventListener("click", open);
    wanted = true;
    const settings = await need("panels/settings", open);
    if (settings) fill(settings);
    else opener.addEventListener("click", open);
    menu.open = wanted;
  }

  function close() {
    wanted = false;
    menu.open = false;
  }
}
