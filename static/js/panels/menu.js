// The table's menu, whose content is loaded when it is first opened, and the help. The menu closes by Escape and by a press elsewhere.

import { byId } from "../lib/dom.js";
import { need } from "../lib/lazy.js";

/** Entries that close the menu. */
const LEAVING = "a, #help-row";

/** @param {(content: typeof import("./menu-content.js")) => void} fill */
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
  // opened before the scripts were loaded
  if (menu.open) open();

  /** @param {Event} [event] */
  async function open(event) {
    event?.preventDefault();
    opener.removeEventListener("click", open);
    wanted = true;
    const content = await need("panels/menu-content", open);
    if (content) fill(content);
    else opener.addEventListener("click", open);
    menu.open = wanted;
  }

  function close() {
    wanted = false;
    menu.open = false;
  }
}

/** Help opens by its buttons, and by the key `?` outside of text fields. */
export function bindHelp() {
  const open = async () => (await need("panels/help", open))?.toggleHelp();
  for (const id of ["ask-table", "help-row"]) byId(id, HTMLElement).addEventListener("click", open);
  document.addEventListener("keydown", ({ key, target }) => {
    if (key === "?" && target instanceof Element && !target.matches("input, textarea")) open();
  });
}
