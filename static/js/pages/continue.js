// The page by which another device takes over. The link's secret is behind the `#`, so that no log on the way has it, and a preview of
// the link doesn't use it up.

import { call, Refusal } from "../lib/api.js";
import { attempt } from "../lib/attempt.js";
import { byId, setText } from "../lib/dom.js";
import { setPlayer } from "../lib/identity.js";
import { bindPreferences, restoreFields } from "../lib/preferences.js";

const box = byId("takeover", HTMLElement);
const trouble = byId("trouble", HTMLElement);
const secret = location.hash.slice(1);

bindPreferences();
restoreFields();
for (const id of ["go", "switch"]) {
  const button = byId(id, HTMLButtonElement);
  button.addEventListener("click", () => attempt(button, trouble, () => unlessGone(goOn)));
}
addEventListener("hashchange", () => location.reload());
attempt(box, trouble, () => unlessGone(look));
dispatchEvent(new Event("ready"));

async function look() {
  const owner = await call("POST", "links/owner", { secret });
  setText(byId("owner", HTMLElement), owner.name);
  box.dataset.state = owner.player === box.dataset.id ? "same" : box.dataset.id ? "other" : "new";
}

async function goOn() {
  setPlayer(await call("POST", "links/use", { secret }));
  location.replace(box.dataset.next ?? "");
}

/** @param {() => Promise<void>} action with a link that may have expired */
async function unlessGone(action) {
  try {
    await action();
  } catch (refusal) {
    const isGone = refusal instanceof Refusal && (refusal.code === "unknown_link" || refusal.status === 400);
    if (!isGone) throw refusal;
    box.dataset.state = "gone";
  }
}
