// Reads table codes as people type and paste them: eight characters of Crockford's base 32. `app/rooms/codes.py` does the same;
// `tests/codes.json` has the cases for both.

const LONGEST = 2000;
const LOOKALIKES = /** @type {Record<string, string>} */ ({ O: "0", I: "1", L: "1" });
const ENCODED = /(?:%[0-9a-f]{2})+/gi;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;
const LINK = /\/T\/[^0-9A-Z]*([0-9A-Z](?:[\u2010-\u2015-]?[0-9A-Z]){7})(?![0-9A-Z])/;
const IN_WORDS = /(?=([0-9A-Z]{4}[\s\u2010-\u2015-]?[0-9A-Z]{4})(?![0-9A-Z]))/g;

/**
 * The code in a text: alone, with other characters between and round it, after a colon, in a link, or in a sentence if it has a digit.
 *
 * @param {string} typed
 * @returns {string | null}
 */
export function parseCode(typed) {
  if (typed.length > LONGEST) return null;
  const plain = typed.replace(ENCODED, decoded).normalize("NFKC").replace(INVISIBLE, "").toUpperCase();
  if (plain.includes("/T/")) return code(LINK.exec(plain)?.[1] ?? "");
  if (plain.includes("//")) return null;
  return code(plain) ?? code(plain.split(":").at(-1) ?? "") ?? inWords(plain);
}

/**
 * The code with the most digits in a sentence, because other words of eight letters have none.
 *
 * @param {string} text
 */
function inWords(text) {
  /** @type {Map<string, number>} */
  const digits = new Map();
  for (const { 1: found = "", index } of text.matchAll(IN_WORDS)) {
    const [meant, count] = [code(found), found.replace(/\D/g, "").length];
    const begins = !/[0-9A-Z]/.test(text.charAt(index - 1));
    if (meant && count && begins) digits.set(meant, Math.max(count, digits.get(meant) ?? 0));
  }
  const most = Math.max(...digits.values());
  const best = [...digits].filter(([, count]) => count === most);
  return best.length === 1 ? (best[0]?.[0] ?? null) : null;
}

/** @param {string} text */
function code(text) {
  const signs = text.replace(/[^0-9A-Z]/g, "").replace(/[OIL]/g, (sign) => LOOKALIKES[sign] ?? sign);
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(signs) ? signs : null;
}

/** @param {string} bytes in percent-encoding */
function decoded(bytes) {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}
