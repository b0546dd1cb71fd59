// The page that lists the devices of a player, and signs them out.

import { call, Refusal } from "../lib/api.js";
import { attempt } from "../lib/attempt.js";
import { byId, setAttribute, setText } from "../lib/dom.js";
import { bindPreferences, restoreFields } from "../lib/preferences.js";
import { LANGUAGE } from "../lib/text.js";

const moments = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });

bindPreferences();
restoreFields();
for (const time of document.querySelectorAll("time")) setText(time, moments.format(new Date(time.dateTime)));
if (document.getElementById("devices")) bindDevices();

function bindDevices() {
  const others = byId("others", HTMLButtonElement);
  others.addEventListener("click", () => signOut(others, "players/me/devices"));
  for (const button of buttons()) {
    button.addEventListener("click", () => signOut(button, `players/me/devices/${button.dataset.device}`));
  }

  /**
   * @param {HTMLButtonElement} button
   * @param {string} path
   */
  function signOut(button, path) {
    attempt(button, byId("trouble", HTMLElement), async () => {
      await unlessGone(() => call("DELETE", path));
      for (const gone of button === others ? buttons() : [button]) gone.closest("li")?.remove();
      setAttribute(others, "hidden", buttons().length === 0);
      setText(byId("said", HTMLElement), button.dataset.done ?? "");
      setAttribute(byId("said", HTMLElement), "hidden", false);
      byId("title", HTMLElement).focus();
    });
  }
}

/** @returns {HTMLButtonElement[]} one for each other device */
function buttons() {
  return [...document.querySelectorAll("button")].filter((button) => button.dataset.device);
}

/** @param {() => Promise<unknown>} action with a device that may be signed out already */
async function unlessGone(action) {
  try {
    await action();
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || refusal.code !== "unknown_device") throw refusal;
  }
}
