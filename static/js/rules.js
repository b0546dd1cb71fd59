// The page of rules: what its head offers.

import { bindDaylight } from "./daylight.js";
import { bindLanguage, takeBack } from "./language.js";

bindDaylight();
bindLanguage();
takeBack();
// the table is still open where one came from, which shows again when this tab closes; where it can't, the link leads there
document.getElementById("back")?.addEventListener("click", () => window.close());
