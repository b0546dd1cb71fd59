// The page with a one-time link by which another device takes over.

import { call } from "../lib/api.js";
import { attempt } from "../lib/attempt.js";
import { bindCopy } from "../lib/copy-link.js";
import { byId, setText } from "../lib/dom.js";
import { bindPreferences, restoreFields } from "../lib/preferences.js";

bindPreferences();
restoreFields();
if (document.getElementById("handover")) bindHandover();
dispatchEvent(new Event("ready"));

function bindHandover() {
  const box = byId("handover", HTMLElement);
  const link = byId("link", HTMLInputElement);
  const copy = byId("copy", HTMLButtonElement);
  const anew = byId("anew", HTMLButtonElement);
  const left = byId("left", HTMLElement);
  let ends = 0;
  bindCopy(copy, link, {
    idle: copy.textContent?.trim() ?? "",
    copied: copy.dataset.copied ?? "",
    byHand: copy.dataset.byHand ?? "",
  });
  anew.addEventListener("click", make);
  setInterval(tick, 250);
  make();

  async function make() {
    box.dataset.state = "making";
    await attempt(anew, byId("trouble", HTMLElement), async () => {
      const { code } = box.dataset;
      const asked = Date.now();
      const made = await call("POST", "links", code ? { room: code } : {});
      link.value = made.url;
      byId("qr", HTMLImageElement).src = `data:image/svg+xml,${encodeURIComponent(made.qr)}`;
      ends = asked + made.seconds * 1000;
      box.dataset.state = "good";
      tick();
    });
    if (box.dataset.state === "making") box.dataset.state = "over";
  }

  function tick() {
    if (box.dataset.state !== "good") return;
    const seconds = Math.ceil((ends - Date.now()) / 1000);
    setText(left, `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
    if (seconds <= 0) box.dataset.state = "over";
  }
}
