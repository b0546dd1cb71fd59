// Panning and zooming of the board by touch, wheel, buttons and keys. A touch that pans is never a tap. The sheet with the board moves
// under the glass, which is its frame.

import { byId, setAttribute } from "../lib/dom.js";
import { t } from "../lib/text.js";

/** @typedef {{x: number, y: number, scale: number}} Place the sheet's offset in pixels, and its scale */
/** @typedef {{x: number, y: number}} Point */

const MOST = 5;
const STEP = 1.6;
const TAP_SLACK = 8;
/** @type {Record<string, number>} */
const ZOOMS = { "+": STEP, "=": STEP, "-": 1 / STEP, 0: 0 };
/** @type {Record<string, [number, number]>} in pixels, with the shift key */
const PANS = { ArrowRight: [-80, 0], ArrowLeft: [80, 0], ArrowDown: [0, -80], ArrowUp: [0, 80] };
/** @type {Place} */
const WHOLE = { x: 0, y: 0, scale: 1 };

/**
 * The place after zooming by a factor round a point of the glass.
 *
 * @param {Place} place
 * @param {number} factor
 * @param {Point} held
 * @returns {Place}
 */
export function zoomed(place, factor, held) {
  const scale = Math.min(MOST, Math.max(1, place.scale * factor));
  const ratio = scale / place.scale;
  return { scale, x: held.x - (held.x - place.x) * ratio, y: held.y - (held.y - place.y) * ratio };
}

/**
 * The nearest place at which the sheet covers the glass.
 *
 * @param {Place} place
 * @param {{width: number, height: number}} glass
 * @returns {Place}
 */
export function kept({ x, y, scale }, { width, height }) {
  return { scale, x: Math.min(0, Math.max(width * (1 - scale), x)), y: Math.min(0, Math.max(height * (1 - scale), y)) };
}

export class PanZoom {
  #glass = byId("map", HTMLElement);
  #sheet = byId("map-sheet", HTMLElement);
  #place = WHOLE;
  /** @type {Map<number, Point>} */
  #fingers = new Map();
  #panned = false;

  constructor() {
    const sheet = this.#sheet;
    sheet.addEventListener("pointerdown", (event) => this.#down(event));
    sheet.addEventListener("click", (event) => this.#panned && event.stopPropagation(), { capture: true });
    sheet.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    sheet.addEventListener("focusin", ({ target }) => target instanceof Element && this.#follow(target));
    this.#glass.addEventListener("keydown", (event) => this.#press(event));
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#fingers.delete(event.pointerId));
    addEventListener("pointercancel", (event) => this.#fingers.delete(event.pointerId));
    addEventListener("resize", () => this.#show(this.#place));
    button("zoom-in", "map.zoom_in", () => this.#zoom(STEP));
    button("zoom-out", "map.zoom_out", () => this.#zoom(1 / STEP));
    button("zoom-fit", "map.fit", () => this.#show(WHOLE));
  }

  /** @param {Place} place */
  #show(place) {
    this.#place = kept(place, this.#glass.getBoundingClientRect());
    const { x, y, scale } = this.#place;
    this.#sheet.style.transform = scale === 1 ? "" : `translate(${x}px, ${y}px) scale(${scale})`;
    setAttribute(this.#glass, "data-zoomed", scale > 1);
    this.#glass.dispatchEvent(new Event("mapmoved"));
  }

  /** @param {number} factor */
  #zoom(factor) {
    const { width, height } = this.#glass.getBoundingClientRect();
    this.#show(zoomed(this.#place, factor, { x: width / 2, y: height / 2 }));
  }

  /** @param {{clientX: number, clientY: number}} event */
  #on({ clientX, clientY }) {
    const { left, top } = this.#glass.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button !== 0) return;
    if (event.isPrimary) {
      this.#fingers.clear();
      this.#panned = false;
    }
    this.#fingers.set(event.pointerId, this.#on(event));
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.#fingers.get(event.pointerId);
    if (!before) return;
    const now = this.#on(event);
    if (!this.#panned && distance(before, now) < TAP_SLACK) return;
    this.#panned = true;
    if (this.#fingers.size === 1) this.#pan(now.x - before.x, now.y - before.y);
    else this.#pinch(event.pointerId, before, now);
    this.#fingers.set(event.pointerId, now);
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  #pan(x, y) {
    this.#show({ ...this.#place, x: this.#place.x + x, y: this.#place.y + y });
  }

  /**
   * @param {number} moving
   * @param {Point} before
   * @param {Point} now
   */
  #pinch(moving, before, now) {
    const still = [...this.#fingers].find(([id]) => id !== moving)?.[1];
    if (!still || distance(before, still) === 0) return;
    this.#show(zoomed(this.#place, distance(now, still) / distance(before, still), still));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { key, shiftKey, ctrlKey, altKey, metaKey, target } = event;
    const pan = shiftKey ? PANS[key] : undefined;
    if (ctrlKey || altKey || metaKey || target instanceof HTMLInputElement || !(pan || key in ZOOMS)) return;
    event.preventDefault();
    if (pan) this.#pan(...pan);
    else this.#zoom(ZOOMS[key] ?? 1);
  }

  /**
   * Centers an element that was focused by keys, unless all of it is visible.
   *
   * @param {Element} element
   */
  #follow(element) {
    const [glass, box] = [this.#glass, element].map((each) => each.getBoundingClientRect());
    if (!glass || !box || !element.matches(":focus-visible")) return;
    const [across, down] = [
      middle(glass.left, glass.right, box.left, box.right),
      middle(glass.top, glass.bottom, box.top, box.bottom),
    ];
    if (across || down) this.#pan(across, down);
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const { scrollHeight, clientHeight } = document.documentElement;
    if (scrollHeight > clientHeight && !event.ctrlKey) return; // the wheel scrolls a low window
    event.preventDefault();
    this.#show(zoomed(this.#place, Math.exp(-event.deltaY / 400), this.#on(event)));
  }
}

/**
 * How far an interval must be moved to be centered in another one; 0 if it lies within it.
 *
 * @param {number} from
 * @param {number} to
 * @param {number} start
 * @param {number} end
 */
function middle(from, to, start, end) {
  return start >= from && end <= to ? 0 : (from + to - start - end) / 2;
}

/**
 * @param {Point} one
 * @param {Point} other
 */
function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/**
 * @param {string} id
 * @param {string} label
 * @param {() => void} pressed
 */
function button(id, label, pressed) {
  const element = byId(id, HTMLButtonElement);
  setAttribute(element, "aria-label", t(label));
  setAttribute(element, "title", t(label));
  element.addEventListener("click", pressed);
}
