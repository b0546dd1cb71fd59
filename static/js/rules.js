// The page of rules: what its head offers.

import { bindDaylight } from "./daylight.js";
import { bindLanguage, takeBack } from "./language.js";

bindDaylight();
bindLanguage();
takeBack();
