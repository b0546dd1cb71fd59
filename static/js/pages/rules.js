// The page of rules, and pages with a message only.

import { bindPreferences, restoreFields } from "../lib/preferences.js";

bindPreferences();
restoreFields();
// in a tab of its own, going back means closing it: the table is still open in the other one
document.getElementById("back")?.addEventListener("click", () => history.length === 1 && window.close());
dispatchEvent(new Event("ready"));
