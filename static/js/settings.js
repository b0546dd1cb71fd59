// What the table's menu offers: language, day and night, sound.

import { bindDaylight } from "./daylight.js";
import { byId, setAttribute } from "./dom.js";
import { bindLanguage } from "./language.js";
import { t } from "./text.js";

/**
 * @param {import("./table.js").Table} table
 * @param {import("./sound.js").Sound} sound
 */
export function bindSettings(table, sound) {
  bindDaylight();
  bindLanguage(() => table.selection);
  bindSound(sound);
}

/** @param {import("./sound.js").Sound} sound */
function bindSound(sound) {
  const button = byId("sound", HTMLButtonElement);

  function show() {
    const label = t(sound.on ? "sound.off" : "sound.on");
    setAttribute(button, "aria-label", label);
    setAttribute(button, "title", label);
    button.querySelector("use")?.setAttribute("href", sound.on ? "#ui-sound" : "#ui-mute");
  }

  button.addEventListener("click", () => {
    sound.switch();
    show();
  });
  show();
}
