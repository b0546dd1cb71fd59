// From a drawing of the page to a picture that needs neither the page nor its style sheets.

/** What of an element's style its looks depend on; each may also be written as an attribute. */
const LOOKS = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-dasharray",
  "stop-color",
  "stop-opacity",
  "opacity",
  "paint-order",
  "font-family",
  "font-size",
  "font-weight",
  "text-anchor",
];
/** What of a use says where its symbol is drawn; the rest is for both. */
const PLACE = /^(x|y|width|height)$/;
const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} [attributes]
 * @param {...(Node | string)} children
 */
export function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * @param {SVGElement} drawing which hangs in the page, and stands on its own afterwards
 * @param {number} width of the picture in pixels
 * @param {number} height
 * @returns {Promise<Blob>} a PNG
 */
export async function develop(drawing, width, height) {
  unfold(drawing);
  // before all that bears them: in a picture, WebKit leaves out what a single mark that is still to come would show
  drawing.prepend(...[...document.querySelectorAll("svg.symbols marker")].map((marker) => marker.cloneNode(true)));
  for (const motion of drawing.getAnimations({ subtree: true })) motion.finish();
  const all = [...drawing.querySelectorAll("*")];
  const looks = all.map(looksOf);
  all.forEach((element, index) => {
    fix(element, looks[index] ?? null);
  });
  const image = new Image(width, height);
  image.src = `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(drawing))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  canvas.getContext("2d")?.drawImage(image, 0, 0, width, height);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the canvas gave no picture"))), "image/png");
  });
}

/**
 * Puts in place of each use of a symbol what the symbol shows: its colors depend on where it is used.
 *
 * @param {SVGElement} drawing
 */
function unfold(drawing) {
  for (let uses = found(drawing); uses.length; uses = found(drawing)) {
    for (const { use, symbol } of uses) use.replaceWith(unfolded(use, symbol));
  }
}

/** @param {SVGElement} drawing */
function found(drawing) {
  return [...drawing.querySelectorAll("use")].flatMap((use) => {
    const symbol = document.getElementById(use.getAttribute("href")?.slice(1) ?? "");
    return symbol instanceof SVGSymbolElement ? [{ use, symbol }] : [];
  });
}

/**
 * @param {SVGUseElement} use
 * @param {SVGSymbolElement} symbol
 */
function unfolded(use, symbol) {
  const inner = draw("svg", {}, .../** @type {Element} */ (symbol.cloneNode(true)).childNodes);
  for (const { name, value } of symbol.attributes) if (name !== "id") inner.setAttribute(name, value);
  for (const { name, value } of use.attributes) if (PLACE.test(name)) inner.setAttribute(name, value);
  const { color, fill } = getComputedStyle(use);
  const outer = draw("g", { color, fill });
  for (const { name, value } of use.attributes) if (!PLACE.test(name)) outer.setAttribute(name, value);
  outer.append(inner);
  return outer;
}

/**
 * What an element looks like, or null where it isn't seen. What stands in `defs` has the looks of where it is used, unless a
 * class says otherwise.
 *
 * @param {Element} element
 * @returns {Record<string, string> | null}
 */
function looksOf(element) {
  const isDefined = element.closest("defs") !== null;
  if (isDefined && !element.classList.length) return {};
  const looks = getComputedStyle(element);
  if (!isDefined && looks.display === "none") return null;
  return Object.fromEntries(LOOKS.map((name) => [name, looks.getPropertyValue(name)]));
}

/**
 * @param {Element} element
 * @param {Record<string, string> | null} looks
 */
function fix(element, looks) {
  if (!looks) element.remove();
  for (const [name, value] of Object.entries(looks ?? {})) element.setAttribute(name, value);
}
