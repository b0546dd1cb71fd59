// The choice of language. The page comes anew in it, and what was typed or picked but not yet sent comes back.

import { base } from "./api.js";
import { byId } from "./dom.js";

/** @typedef {{fields: [string, string][], picked: unknown}} Kept */

const PLACE = "fogline-kept";
const LONG = 400 * 24 * 3600;
const RESTLESS = "[aria-busy=true], [data-connection=lost]";

/** @param {() => unknown} [picked] what else is to come back */
export function bindLanguage(picked = () => null) {
  const choice = byId("language", HTMLSelectElement);
  choice.addEventListener("change", choose);

  function choose() {
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and the Cookie Store is not everywhere
    document.cookie = `${choice.dataset.cookie}=${choice.value}; path=${base()}; max-age=${LONG}; samesite=lax`;
    reloadInPeace(picked);
  }
}

/**
 * What was kept when the language was switched; what was typed is back in its place then.
 *
 * @returns {unknown} what else was kept, null when the page comes for another reason
 */
export function takeBack() {
  const kept = read();
  if (!kept) return null;
  for (const [id, value] of kept.fields) restore(id, value);
  const choice = byId("language", HTMLElement);
  (choice.closest("details")?.querySelector("summary") ?? choice).focus();
  return kept.picked;
}

/**
 * Waits for what is on its way, and for the network.
 *
 * @param {() => unknown} picked
 */
function reloadInPeace(picked) {
  if (!navigator.onLine || document.querySelector(RESTLESS)) {
    setTimeout(() => reloadInPeace(picked), 100);
    return;
  }
  write({ fields: fields(), picked: picked() });
  location.reload();
}

/** @returns {[string, string][]} */
function fields() {
  const inputs = [...document.querySelectorAll("input[id]:not([readonly]), input:checked")];
  return inputs.flatMap((input) =>
    input instanceof HTMLInputElement ? [[input.id || input.name, entered(input)]] : [],
  );
}

/** @param {HTMLInputElement} input */
function entered({ type, checked, value }) {
  return type === "checkbox" ? String(checked) : value;
}

/**
 * @param {string} id of a field, or the name of a choice
 * @param {string} value
 */
function restore(id, value) {
  const field = document.getElementById(id);
  if (field instanceof HTMLInputElement && field.type === "checkbox") field.checked = value === "true";
  else if (field instanceof HTMLInputElement) field.value = value;
  for (const radio of document.getElementsByName(id)) {
    if (radio instanceof HTMLInputElement && radio.type === "radio") radio.checked = radio.value === value;
  }
}

/** @returns {Kept | null} */
function read() {
  try {
    const kept = sessionStorage.getItem(PLACE);
    sessionStorage.removeItem(PLACE);
    return kept ? JSON.parse(kept) : null;
  } catch {
    return null;
  }
}

/** @param {Kept} kept */
function write(kept) {
  try {
    sessionStorage.setItem(PLACE, JSON.stringify(kept));
  } catch {
    // Without storage only what the server knows comes back.
  }
}
