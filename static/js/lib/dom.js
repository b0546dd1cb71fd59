// Creates and changes elements. Text is inserted as text only; nothing here parses markup.

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {string | number | boolean | null | undefined} Attribute */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an HTML element. An attribute that is null, undefined or false is left out; true gives an empty value.
 *
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, Attribute>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) setAttribute(element, name, value);
  element.append(...children.filter(isShown).map(asNode));
  return element;
}

/**
 * A symbol of the sprite sheet. It is hidden from screen readers, because words stand beside it.
 *
 * @param {string} id
 * @param {string} [className]
 */
export function symbol(id, className = "symbol") {
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {Attribute} value
 */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== shown(value)) element.setAttribute(name, shown(value));
}

/** @type {WeakMap<Element, string>} what each element was last drawn from */
const drawn = new WeakMap();

/**
 * Whether an element must be drawn again: a move changes only a few of the hundred on a page.
 *
 * @param {Element} element
 * @param {...unknown} looks everything it is drawn from
 */
export function isNew(element, ...looks) {
  const now = JSON.stringify(looks);
  const before = drawn.get(element);
  drawn.set(element, now);
  return before !== now;
}

/**
 * Shows or hides an element. If the focus would be hidden with it, it moves to the successor.
 *
 * @param {HTMLElement} element
 * @param {boolean} shown
 * @param {HTMLElement | null} successor
 */
export function show(element, shown, successor) {
  const leaves = !shown && element.contains(document.activeElement);
  setAttribute(element, "hidden", !shown);
  if (leaves) successor?.focus({ preventScroll: true });
}

/**
 * Changes the page. If the focused element vanishes and nothing else takes the focus, it moves to the successor.
 *
 * @param {() => void} change
 * @param {HTMLElement} successor
 */
export function holdFocus(change, successor) {
  const held = document.activeElement;
  change();
  const { activeElement: now, body } = document;
  // like `checkVisibility`, which Safari has since 17.4
  const seen = now?.getClientRects().length && getComputedStyle(now).visibility === "visible";
  const vanished = now === body ? held !== body : !seen;
  if (vanished) successor.focus({ preventScroll: true });
}

/**
 * Changes a text. The text node stays the same, so that only its line is laid out again.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  const { firstChild, lastChild } = element;
  if (element.textContent === text) return;
  if (firstChild instanceof Text && firstChild === lastChild && text) firstChild.data = text;
  else element.textContent = text;
}

/**
 * The element with this id. Throws if the page has none of this kind.
 *
 * @template {Element} T
 * @param {string} id
 * @param {{new(): T}} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return element;
}

/**
 * Makes the children of a list agree with the items. Elements with a known key stay, and keep the focus.
 *
 * @template T
 * @param {Element} list
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} [update]
 */
export function updateList(list, items, keyOf, make, update = () => {}) {
  const known = new Map([...list.children].map((child) => [child.getAttribute("data-key"), child]));
  items.forEach((item, index) => {
    const key = keyOf(item);
    const old = known.get(key);
    const element = old instanceof HTMLElement ? old : make(item);
    known.delete(key);
    element.dataset.key = key;
    update(element, item);
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  for (const gone of known.values()) gone.remove();
}

/**
 * Places an element beside a target and inside a frame: to the right of the target if there is room, else to its left, else at the
 * right edge of the frame.
 *
 * @param {HTMLElement} element
 * @param {string} id of the target
 * @param {HTMLElement} frame
 */
export function placeBeside(element, id, frame) {
  const target = document.getElementById(id);
  if (!target) return;
  const [box, room] = [target.getBoundingClientRect(), frame.getBoundingClientRect()];
  const { offsetWidth: width, offsetHeight: height } = element;
  const right = box.right - room.left + 32;
  const left = box.left - room.left - width - 32;
  const x = right + width < room.width ? right : left > 0 ? left : room.width - width - 8;
  const y = Math.min(room.height - height - 8, Math.max(8, box.top - room.top + box.height / 2 - height / 2));
  element.style.setProperty("--x", `${Math.max(8, x)}px`);
  element.style.setProperty("--y", `${Math.max(8, y)}px`);
}

/**
 * Redraws at most once per frame. `ask` redraws with the next frame. `hurry` redraws at once, so that style and layout can use the time
 * until the frame; a second `hurry` before the same frame waits for it.
 *
 * @param {() => void} redraw
 * @returns {{ask: () => void, hurry: () => void}}
 */
export function oncePerFrame(redraw) {
  let [asked, waiting, hurried] = [false, false, false];

  function draw() {
    if (!asked) return;
    asked = false;
    redraw();
  }

  function frame() {
    waiting = hurried = false;
    draw();
  }

  function ask() {
    asked = true;
    if (!waiting) requestAnimationFrame(frame);
    waiting = true;
  }

  function hurry() {
    if (hurried || !waiting) return;
    hurried = true;
    draw();
    document.body.getBoundingClientRect();
  }

  return { ask, hurry };
}

/** @type {(() => void)[]} */
const postponed = [];
document.addEventListener("visibilitychange", resume);

/**
 * Does something once the next frame is on the screen. A hidden page draws no frames, so there it is done at once.
 *
 * @param {() => void} work
 */
export function afterFrame(work) {
  if (document.hidden) work();
  else if (postponed.push(work) === 1) requestAnimationFrame(resume);
}

function resume() {
  for (const work of postponed.splice(0)) setTimeout(work);
}

/** @param {Child} child */
function isShown(child) {
  return child !== null && child !== undefined && child !== false;
}

/** @param {Child} child */
function asNode(child) {
  return child instanceof Node ? child : String(child);
}

/** @param {string | number | boolean} value */
function shown(value) {
  return value === true ? "" : String(value);
}
