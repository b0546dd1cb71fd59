// The tables on the start page: one's own, and those that take anybody. The server writes them; from time to time, and when one
// comes back to the page, they are fetched anew.

import { base } from "./api.js";

const PAUSE = 15_000;
const LISTS = ["mine", "open"];

/** @param {(code: string, button: HTMLButtonElement) => void} sitDown at a table that takes anybody */
export function bindTables(sitDown) {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("[data-join]") : null;
    if (button instanceof HTMLButtonElement) sitDown(button.dataset.join ?? "", button);
  });
  document.addEventListener("visibilitychange", refresh);
  addEventListener("focus", refresh);
  addEventListener("pageshow", ({ persisted }) => persisted && refresh());
  setInterval(refresh, PAUSE);
}

async function refresh() {
  if (document.visibilityState !== "visible" || document.querySelector("[data-join][aria-busy]")) return;
  const told = await ask().catch(() => null);
  if (told === null) return;
  const fresh = new DOMParser().parseFromString(told, "text/html");
  for (const id of LISTS) exchange(document.getElementById(id), fresh.getElementById(id));
}

async function ask() {
  const answer = await fetch(`${base()}tables`);
  return answer.ok ? answer.text() : null;
}

/**
 * Puts a list in the place of an older one, if it says anything else. A focus in it stays on the same table.
 *
 * @param {HTMLElement | null} old
 * @param {HTMLElement | null} fresh
 */
function exchange(old, fresh) {
  if (!old || !fresh || old.outerHTML === fresh.outerHTML) return;
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const scrolled = old.scrollTop;
  old.replaceWith(fresh);
  fresh.scrollTop = scrolled;
  const name = focused?.hasAttribute("href") ? "href" : "data-join";
  const again = fresh.querySelector(`[${name}="${focused?.getAttribute(name)}"]`);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}
