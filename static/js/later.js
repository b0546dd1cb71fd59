// The words that are not needed to play a move. Who imports this has them; it costs nothing before, as long as that module
// itself comes by `import()`.

import { LANGUAGE, learn } from "./text.js";

/** @type {{words: import("./text.js").Catalog}} */
const { words } = await import(`./later/${LANGUAGE}.js`);
learn(words);
