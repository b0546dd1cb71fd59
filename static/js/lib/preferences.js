// The switch between light and dark, and the choice of language. The page is loaded anew in another language, and what was typed or
// picked but not sent yet is restored.

import { base } from "./api.js";
import { byId, setAttribute } from "./dom.js";
import { remember } from "./storage.js";
import { t } from "./text.js";

/** @typedef {{fields: [string, string][], picked: unknown}} Kept */

const THEME = "fogline-theme";
const FIELDS = "fogline-kept";
/** In seconds: 400 days, the longest that browsers keep a cookie. */
const COOKIE_AGE = 400 * 24 * 3600;
/** The page is not reloaded while one of these is there. */
const BUSY = "[aria-busy=true], [data-connection=lost]";

/**
 * Binds the switch of the theme and the choice of language.
 *
 * @param {() => unknown} [picked] what else than fields is restored after a change of language
 */
export function bindPreferences(picked = () => null) {
  bindTheme();
  bindLanguage(picked);
}

/** The system's theme is used until the switch is. */
function bindTheme() {
  const button = byId("theme", HTMLButtonElement);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";

  function show() {
    const label = t(isDark() ? "theme.to_day" : "theme.to_night");
    setAttribute(button, "aria-label", label);
    setAttribute(button, "title", label);
    button.querySelector("use")?.setAttribute("href", isDark() ? "#ui-day" : "#ui-night");
  }

  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    remember(THEME, document.documentElement.dataset.theme);
    show();
  });
  system.addEventListener("change", show);
  show();
}

/** @param {() => unknown} picked */
function bindLanguage(picked) {
  const choice = byId("language", HTMLSelectElement);
  choice.addEventListener("change", choose);

  function choose() {
    // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and the Cookie Store is not everywhere
    document.cookie = `${choice.dataset.cookie}=${choice.value}; path=${base()}; max-age=${COOKIE_AGE}; samesite=lax`;
    reloadWhenIdle(picked);
  }
}

/**
 * After a change of language, puts what was typed back into its fields.
 *
 * @returns {unknown} what `picked` gave before the change, or null if the page was loaded for another reason
 */
export function restoreFields() {
  const kept = read();
  if (!kept) return null;
  for (const [id, value] of kept.fields) restore(id, value);
  const choice = byId("language", HTMLElement);
  (choice.closest("details")?.querySelector("summary") ?? choice).focus();
  return kept.picked;
}

/**
 * Reloads the page once no request is pending and the network is there.
 *
 * @param {() => unknown} picked
 */
function reloadWhenIdle(picked) {
  if (!navigator.onLine || document.querySelector(BUSY)) {
    setTimeout(() => reloadWhenIdle(picked), 100);
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
    const kept = sessionStorage.getItem(FIELDS);
    sessionStorage.removeItem(FIELDS);
    return kept ? JSON.parse(kept) : null;
  } catch {
    return null;
  }
}

/** @param {Kept} kept */
function write(kept) {
  try {
    sessionStorage.setItem(FIELDS, JSON.stringify(kept));
  } catch {
    // Without storage only what the server knows comes back.
  }
}
