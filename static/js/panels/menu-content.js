// The content of the table's menu: language, theme, sound, screen lock, notifications, bars.

import "../lib/more-words.js";
import { byId, setAttribute, setText } from "../lib/dom.js";
import { load } from "../lib/lazy.js";
import { bindPreferences } from "../lib/preferences.js";
import { t } from "../lib/text.js";
import { arePossible, areWanted, want } from "../table/notifications.js";
import { canStayAwake, isAwakeWanted, wantAwake } from "../table/wake-lock.js";

/**
 * @param {import("../table/table.js").Table} table
 * @param {import("../table/sound.js").Sound} sound
 */
export function bindMenuContent(table, sound) {
  bindPreferences(() => table.selection);
  bindSound(sound);
  bindBars(table);
  if (canStayAwake()) bindAwake();
  if (arePossible()) bindNotices();
}

/**
 * Only the host bars people, and the host may have changed each time the menu opens.
 *
 * @param {import("../table/table.js").Table} table
 */
function bindBars(table) {
  const button = byId("bars", HTMLButtonElement);
  const menu = byId("menu", HTMLDetailsElement);
  const show = () => setAttribute(button, "hidden", table.seat === null || table.room?.host !== table.seat);
  menu.addEventListener("toggle", show);
  button.addEventListener("click", async () => {
    const bars = await load("panels/bars").catch(() => null);
    menu.open = false;
    bars?.openBars(table);
  });
  show();
}

/** @param {import("../table/sound.js").Sound} sound */
function bindSound(sound) {
  const button = byId("sound", HTMLButtonElement);
  const show = () => label(button, t(sound.on ? "sound.off" : "sound.on"), sound.on ? "ui-sound" : "ui-mute");
  button.addEventListener("click", () => {
    sound.switch();
    show();
  });
  show();
}

function bindAwake() {
  const button = byId("awake", HTMLButtonElement);
  const show = () => {
    const on = isAwakeWanted();
    label(button, t(on ? "awake.off" : "awake.on"), on ? "ui-awake" : "ui-asleep");
  };
  button.addEventListener("click", () => {
    wantAwake(!isAwakeWanted());
    show();
  });
  setAttribute(button, "hidden", false);
  show();
}

function bindNotices() {
  const button = byId("notices", HTMLButtonElement);
  const refused = byId("notices-refused", HTMLElement);
  const show = () => {
    const on = areWanted();
    label(button, t(on ? "notices.off" : "notices.on"), on ? "ui-bell" : "ui-no-bell");
  };
  button.addEventListener("click", async () => {
    const wanted = !areWanted();
    const on = await want(wanted);
    setText(refused, wanted && !on ? t("notices.refused") : "");
    show();
  });
  setAttribute(button, "hidden", false);
  show();
}

/**
 * @param {HTMLElement} button
 * @param {string} words
 * @param {string} icon
 */
function label(button, words, icon) {
  setAttribute(button, "aria-label", words);
  setAttribute(button, "title", words);
  button.querySelector("use")?.setAttribute("href", `#${icon}`);
}
