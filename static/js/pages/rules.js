// The page of rules: what its head offers.

import { bindPreferences, restoreFields } from "../lib/preferences.js";

bindPreferences();
restoreFields();
// the table is still open where one came from, and shows again when this tab closes; a tab that has been elsewhere stays, and goes there
document.getElementById("back")?.addEventListener("click", () => history.length === 1 && window.close());
dispatchEvent(new Event("ready"));
