// The words that no move needs. A module that uses some of them imports this file, and is itself loaded by `import()`.

import { load } from "./lazy.js";
import { LANGUAGE, learn } from "./text.js";

const { words } = await load(`words/${LANGUAGE}-more`);
learn(words);
