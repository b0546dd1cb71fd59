// The switch between day and night; the system decides until it is used.

import { byId, setAttribute } from "./dom.js";
import { remember } from "./memory.js";
import { t } from "./text.js";

const PLACE = "fogline-theme";

export function bindDaylight() {
  const button = byId("theme", HTMLButtonElement);
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isNight = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";

  function show() {
    const label = t(isNight() ? "theme.to_day" : "theme.to_night");
    setAttribute(button, "aria-label", label);
    setAttribute(button, "title", label);
    button.querySelector("use")?.setAttribute("href", isNight() ? "#ui-day" : "#ui-night");
  }

  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isNight() ? "light" : "dark";
    remember(PLACE, document.documentElement.dataset.theme);
    show();
  });
  system.addEventListener("change", show);
  show();
}
