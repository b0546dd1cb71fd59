// Parts of the page whose modules come when they are first wanted, and what is said when one does not come.

import { byId, setText, show } from "./dom.js";

/**
 * What is loaded on demand, by its name.
 *
 * @typedef {{
 *   awake: typeof import("./awake.js"),
 *   handover: typeof import("./handover.js"),
 *   help: typeof import("./help.js"),
 *   language: typeof import("./language.js"),
 *   lobby: typeof import("./lobby.js"),
 *   motion: typeof import("./motion.js"),
 *   notice: typeof import("./notice.js"),
 *   polling: typeof import("./polling.js"),
 *   postcard: typeof import("./postcard.js"),
 *   refusals: typeof import("./refusals.js"),
 *   scores: typeof import("./scores.js"),
 *   settings: typeof import("./settings.js"),
 *   shut: typeof import("./shut.js"),
 *   talk: typeof import("./talk.js"),
 *   [words: `${"words" | "later"}/${string}`]: {words: import("./text.js").Catalog},
 * }} Modules
 */

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();
/** @type {Map<string, () => void>} what did not come, and how it is tried again */
const missing = new Map();
let failures = 0;

/**
 * Loads a module once, and tries a second time before it gives up. The next call tries again.
 *
 * @template {keyof Modules} Name
 * @param {Name} name
 * @returns {Promise<Modules[Name]>}
 */
export function load(name) {
  const coming = loaded.get(name) ?? attempt(name).catch(() => attempt(name));
  loaded.set(name, coming);
  coming.catch(() => loaded.delete(name));
  return coming;
}

/**
 * Browsers remember an import that failed, so after a failure the module is asked for under another address. The server does
 * the same to what it imports.
 *
 * @param {string} name
 */
async function attempt(name) {
  try {
    return await import(`./${name}.js${failures ? `?retry=${failures}` : ""}`);
  } catch (error) {
    failures += 1;
    throw error;
  }
}

/**
 * Loads what somebody waits for. If it does not come, the page says what is missing and offers to try again.
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

function showMissing() {
  const box = byId("missing", HTMLElement);
  const [words, button] = /** @type {HTMLElement[]} */ ([...box.children]);
  if (!words || !button) return;
  setText(words, [...missing.keys()].map((name) => box.dataset[name]).join(" "));
  button.onclick = () => missing.forEach((again) => void again());
  show(box, missing.size > 0, byId("banner", HTMLElement));
}

/**
 * The update of a part that is not there yet. Once it is wanted its module is loaded, and from then on it is updated like any
 * other; a load that failed is tried again with a later redraw.
 *
 * @template {keyof Modules} Name
 * @param {() => boolean} wanted
 * @param {Name} name
 * @param {(module: Modules[Name]) => () => void} bind gives the part's own update
 * @param {() => void} changed asks for a redraw
 * @returns {() => void}
 */
export function late(wanted, name, bind, changed) {
  /** @type {(() => void) | null} */
  let update = null;
  let coming = false;

  async function fetch() {
    if (coming) return;
    coming = true;
    const module = await need(name, fetch);
    coming = false;
    if (!module) return;
    update = bind(module);
    changed();
  }

  return () => {
    if (update) update();
    else if (wanted()) fetch();
  };
}
