// Table codes as people type and paste them: eight signs of Crockford's base 32.

const LOOKALIKES = /** @type {Record<string, string>} */ ({ O: "0", I: "1", L: "1" });

/**
 * The code in what was typed: a code in any case with spaces or hyphens, or a link that ends in one.
 *
 * @param {string} typed
 * @returns {string | null}
 */
export function parseCode(typed) {
  const last = typed.trim().split(/[?#]/)[0]?.replace(/\/+$/, "").split("/").at(-1) ?? "";
  const signs = last
    .toUpperCase()
    .replace(/[\s\u2010-\u2015-]/g, "")
    .replace(/[OIL]/g, (sign) => LOOKALIKES[sign] ?? sign);
  return /^[0-9A-HJKMNP-TV-Z]{8}$/.test(signs) ? signs : null;
}
