// The start page: a name, a new table, the code of one, and lists of tables.

import { base, call, Refusal, tablePath } from "../lib/api.js";
import { attempt, wrong } from "../lib/attempt.js";
import { byId } from "../lib/dom.js";
import { knownName, onPlayerChange, withName } from "../lib/identity.js";
import { join as sit } from "../lib/nonces.js";
import { bindPreferences, restoreFields } from "../lib/preferences.js";
import { parseCode } from "./table-code.js";

const name = byId("name", HTMLInputElement);
const nameTrouble = byId("name-trouble", HTMLElement);
const create = byId("create", HTMLFormElement);
const join = byId("join", HTMLFormElement);
const code = byId("code", HTMLInputElement);
const joinTrouble = byId("join-trouble", HTMLElement);
const openTrouble = byId("open-trouble", HTMLElement);
/** The lists of tables, which the server renders, and after how many milliseconds they are fetched again. */
const LISTS = ["mine", "open"];
const REFRESH = 15_000;

recognize();
onPlayerChange(recognize);
bindPreferences();
restoreFields();

create.addEventListener("submit", (event) => {
  event.preventDefault();
  const wish = {
    seats: Number(new FormData(create).get("seats")),
    public: isOn("public"),
    spectators: isOn("spectators"),
    planner: isOn("planner"),
    pass_and_play: isOn("pass-and-play"),
  };
  named(() =>
    attempt(byId("create-go", HTMLElement), byId("create-trouble", HTMLElement), async () => {
      const table = await withName(name.value.trim(), () => call("POST", "rooms", wish));
      location.assign(tablePath(table.code));
    }),
  );
});

join.addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = parseCode(code.value);
  if (!wanted) {
    wrong(code, joinTrouble, "wrong.code");
    return;
  }
  named(() => attempt(byId("join-go", HTMLElement), joinTrouble, () => sitDown(wanted)));
});

bindTables((wanted, button) => named(() => attempt(button, openTrouble, () => sitDown(wanted))));
dispatchEvent(new Event("ready"));

/**
 * Goes to a table: with a seat, or as a spectator if none is free.
 *
 * @param {string} wanted
 */
async function sitDown(wanted) {
  try {
    await withName(name.value.trim(), () => sit(wanted));
  } catch (refusal) {
    const watches = refusal instanceof Refusal && ["room_full", "already_started"].includes(refusal.code);
    if (!watches) throw refusal;
  }
  location.assign(tablePath(wanted));
}

function recognize() {
  name.value ||= knownName();
}

/** @param {string} id of a switch */
function isOn(id) {
  return byId(id, HTMLInputElement).checked;
}

/** @param {() => void} action that needs a name */
function named(action) {
  if (name.value.trim()) action();
  else wrong(name, nameTrouble, "wrong.name");
}

/**
 * Fetches the lists from time to time, and when the page is looked at again.
 *
 * @param {(code: string, button: HTMLButtonElement) => void} sitDown at an open table
 */
function bindTables(sitDown) {
  document.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("[data-join]") : null;
    if (button instanceof HTMLButtonElement) sitDown(button.dataset.join ?? "", button);
  });
  document.addEventListener("visibilitychange", refresh);
  addEventListener("focus", refresh);
  addEventListener("pageshow", ({ persisted }) => persisted && refresh());
  setInterval(refresh, REFRESH);
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
 * Replaces a list if it has changed. The focus stays on the same table.
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
