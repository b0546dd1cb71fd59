// The sheet of help: which keys do what, and the way into asking the table itself.

import "./later.js";
import { base } from "./api.js";
import { askTable } from "./asking.js";
import { h, symbol } from "./dom.js";
import { t } from "./text.js";

/** What is printed on keys, and what they do. */
const KEYS = /** @type {const} */ ([
  [["Tab"], "key.tab"],
  [["←", "→", "↑", "↓"], "key.arrows"],
  [["PgUp", "PgDn"], "key.page"],
  [["+", "−", "0"], "key.zoom"],
  [["Shift", "←", "→", "↑", "↓"], "key.pan"],
  [["Enter"], "key.enter"],
  [["Esc"], "key.escape"],
  [["?"], "key.help"],
]);

/** @type {HTMLDialogElement | null} */
let sheet = null;

/** Opens the sheet, or closes it when it is open. */
export function toggleHelp() {
  sheet ??= makeSheet();
  if (sheet.open) sheet.close();
  else sheet.showModal();
}

function makeSheet() {
  const shut = { type: "button", class: "round quiet", "aria-label": t("help.close"), title: t("help.close") };
  const close = h("button", shut, symbol("ui-close", "icon"));
  const ask = h("button", { type: "button", class: "main-action" }, t("help.ask"));
  const leaflet = { class: "action", href: `${base()}rules?table=${document.body.dataset.code}`, target: "_blank" };
  const rules = h("a", leaflet, symbol("ui-book", "icon"), t("help.rules"));
  const made = h(
    "dialog",
    { class: "help", id: "help", "aria-labelledby": "help-title" },
    h("header", {}, h("h2", { id: "help-title" }, t("help.title")), close),
    h("p", {}, t("help.ask.how")),
    h("p", { class: "help-ways" }, ask, rules),
    h("h3", {}, t("help.keys")),
    h(
      "dl",
      { class: "keys" },
      ...KEYS.flatMap(([caps, key]) => [h("dt", {}, ...caps.map((cap) => h("kbd", {}, cap))), h("dd", {}, t(key))]),
    ),
  );
  close.addEventListener("click", () => made.close());
  made.addEventListener("click", ({ target }) => target === made && made.close());
  ask.addEventListener("click", () => {
    made.close();
    askTable();
  });
  document.body.append(made);
  return made;
}
