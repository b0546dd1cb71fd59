// The words that are not needed to play a move. Who imports this has them; it costs nothing before, as long as that module
// itself comes by `import()`.

import { load } from "./late.js";
import { LANGUAGE, learn } from "./text.js";

const { words } = await load(`later/${LANGUAGE}`);
learn(words);
