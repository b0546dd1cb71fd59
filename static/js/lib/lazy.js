// Modules that are loaded when they are first needed, and a message with a retry if one fails to load.

import { byId, setText, show } from "./dom.js";

/**
 * The modules that are loaded on demand, by their paths below `static/js`.
 *
 * @typedef {{
 *   "chat/chat": typeof import("../chat/chat.js"),
 *   "end/result-picture": typeof import("../end/result-picture.js"),
 *   "end/scores": typeof import("../end/scores.js"),
 *   "lib/preferences": typeof import("./preferences.js"),
 *   "lib/refusals": typeof import("./refusals.js"),
 *   "lobby/lobby": typeof import("../lobby/lobby.js"),
 *   "panels/bars": typeof import("../panels/bars.js"),
 *   "panels/help": typeof import("../panels/help.js"),
 *   "panels/menu-content": typeof import("../panels/menu-content.js"),
 *   "table/access": typeof import("../table/access.js"),
 *   "table/animations": typeof import("../table/animations.js"),
 *   "table/notifications": typeof import("../table/notifications.js"),
 *   "table/pass-and-play": typeof import("../table/pass-and-play.js"),
 *   "table/polling": typeof import("../table/polling.js"),
 *   "table/wake-lock": typeof import("../table/wake-lock.js"),
 *   [words: `words/${string}`]: {words: import("./text.js").Catalog},
 * }} Modules
 */

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();
/** @type {Map<string, () => void>} modules that failed to load, and how to try again */
const missing = new Map();
let failures = 0;

/**
 * Loads a module once. Retries once before it gives up; the next call tries again.
 *
 * @template {keyof Modules} Name
 * @param {Name} name
 * @returns {Promise<Modules[Name]>}
 */
export function load(name) {
  const loading = loaded.get(name) ?? fetchModule(name).catch(() => fetchModule(name));
  loaded.set(name, loading);
  loading.catch(() => loaded.delete(name));
  return loading;
}

/**
 * Browsers remember a failed import by its address, so after a failure the module is requested under another address. The server
 * changes the addresses of what that module imports in the same way.
 *
 * @param {string} name
 */
async function fetchModule(name) {
  try {
    return await import(`../${name}.js${failures ? `?retry=${failures}` : ""}`);
  } catch (error) {
    failures += 1;
    throw error;
  }
}

/**
 * Loads a module that somebody waits for. If it fails to load, the page says what is missing and offers a retry.
 *
 * @template {keyof Modules} Name
 * @param {Name} name
 * @param {() => void} again
 * @returns {Promise<Modules[Name] | null>}
 */
export async function need(name, again) {
  const module = await load(name).catch(() => null);
  if (module) missing.delete(name);
  else missing.set(name, again);
  showMissing();
  return module;
}

/** The words for a missing module are a data attribute of the box, named by the last part of the module's path. */
function showMissing() {
  const box = byId("missing", HTMLElement);
  const [words, button] = /** @type {HTMLElement[]} */ ([...box.children]);
  if (!words || !button) return;
  setText(words, [...missing.keys()].map((name) => box.dataset[name.split("/")[1] ?? ""]).join(" "));
  button.onclick = () => missing.forEach((again) => void again());
  show(box, missing.size > 0, byId("banner", HTMLElement));
}

/**
 * The update of a part that is loaded when `wanted` first holds. A load that failed is tried again with a later redraw.
 *
 * @template {keyof Modules} Name
 * @param {() => boolean} wanted
 * @param {Name} name
 * @param {(module: Modules[Name]) => () => void} bind gives the part's own update
 * @param {() => void} changed asks for a redraw
 * @returns {() => void}
 */
export function lazyPart(wanted, name, bind, changed) {
  /** @type {(() => void) | null} */
  let update = null;
  let isLoading = false;

  async function fetch() {
    if (isLoading) return;
    isLoading = true;
    const module = await need(name, fetch);
    isLoading = false;
    if (!module) return;
    update = bind(module);
    changed();
  }

  return () => {
    if (update) update();
    else if (wanted()) fetch();
  };
}
