// The start page: a name, a new table, or the code of one.

import { call, Refusal, tablePath } from "./api.js";
import { attempt, wrong } from "./attempt.js";
import { parseCode } from "./code.js";
import { bindDaylight } from "./daylight.js";
import { byId } from "./dom.js";
import { as, knownName, onBecoming } from "./identity.js";
import { bindLanguage, takeBack } from "./language.js";
import { join as sit } from "./nonces.js";
import { bindTables } from "./tables.js";

const name = byId("name", HTMLInputElement);
const nameTrouble = byId("name-trouble", HTMLElement);
const create = byId("create", HTMLFormElement);
const join = byId("join", HTMLFormElement);
const code = byId("code", HTMLInputElement);
const joinTrouble = byId("join-trouble", HTMLElement);
const openTrouble = byId("open-trouble", HTMLElement);

recognize();
onBecoming(recognize);
bindDaylight();
bindLanguage();
takeBack();

create.addEventListener("submit", (event) => {
  event.preventDefault();
  const wish = {
    seats: Number(new FormData(create).get("seats")),
    public: isOn("public"),
    spectators: isOn("spectators"),
    planner: isOn("planner"),
    pass_and_play: isOn("pass-and-play"),
  };
  named(() =>
    attempt(byId("create-go", HTMLElement), byId("create-trouble", HTMLElement), async () => {
      const table = await as(name.value.trim(), () => call("POST", "rooms", wish));
      location.assign(tablePath(table.code));
    }),
  );
});

join.addEventListener("submit", (event) => {
  event.preventDefault();
  const wanted = parseCode(code.value);
  if (!wanted) {
    wrong(code, joinTrouble, "wrong.code");
    return;
  }
  named(() => attempt(byId("join-go", HTMLElement), joinTrouble, () => sitDown(wanted)));
});

bindTables((wanted, button) => named(() => attempt(button, openTrouble, () => sitDown(wanted))));

/**
 * Goes to a table: on a seat, or to watch where there is none.
 *
 * @param {string} wanted
 */
async function sitDown(wanted) {
  try {
    await as(name.value.trim(), () => sit(wanted));
  } catch (refusal) {
    const watches = refusal instanceof Refusal && ["room_full", "already_started"].includes(refusal.code);
    if (!watches) throw refusal;
  }
  location.assign(tablePath(wanted));
}

dispatchEvent(new Event("ready"));

function recognize() {
  name.value ||= knownName();
}

/** @param {string} id of a switch */
function isOn(id) {
  return byId(id, HTMLInputElement).checked;
}

/** @param {() => void} action that needs a name */
function named(action) {
  if (name.value.trim()) action();
  else wrong(name, nameTrouble, "wrong.name");
}
