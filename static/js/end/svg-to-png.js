// Turns an SVG of the page into a PNG. The computed styles become attributes, because an image can't use the page's style sheets.

/** The style properties that are copied; each may also be an attribute. */
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
/** The attributes of a `use` that place its symbol. */
const PLACE = /^(x|y|width|height)$/;
const SVG = "http://www.w3.org/2000/svg";

/**
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
 * @param {SVGElement} drawing in the page, which needs no style sheets afterwards
 * @param {number} width of the picture in pixels
 * @param {number} height
 * @returns {Promise<Blob>} a PNG
 */
export async function toPng(drawing, width, height) {
  unfold(drawing);
  // before all elements that use them: WebKit draws no marker in an image that is defined after its use
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
 * Replaces each `use` by a copy of its symbol, because the colors depend on where it is used.
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
 * The styles of an element, or null if it isn't displayed. An element in `defs` takes the styles of where it is used, unless it has a class.
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
