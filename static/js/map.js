// The board under glass: pan, pinch, wheel and buttons. A touch that pans is never a tap.

import { byId, setAttribute } from "./dom.js";
import { t } from "./text.js";

/** @typedef {{x: number, y: number, scale: number}} Place the sheet's shift in pixels, and its magnification */
/** @typedef {{x: number, y: number}} Point */

const MOST = 5;
const STEP = 1.6;
const TAP_SLACK = 8;

/**
 * The place after zooming by a factor with a point of the glass held where it is.
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
 * The place moved so far that no edge of the sheet comes inside the glass.
 *
 * @param {Place} place
 * @param {{width: number, height: number}} glass
 * @returns {Place}
 */
export function kept({ x, y, scale }, { width, height }) {
  return { scale, x: Math.min(0, Math.max(width * (1 - scale), x)), y: Math.min(0, Math.max(height * (1 - scale), y)) };
}

export function bindMap() {
  const glass = byId("map", HTMLElement);
  const sheet = byId("map-sheet", HTMLElement);
  /** @type {Place} */
  let place = { x: 0, y: 0, scale: 1 };
  /** @type {Map<number, Point>} */
  const fingers = new Map();
  let panned = false;

  /** @param {Place} next */
  function show(next) {
    place = kept(next, glass.getBoundingClientRect());
    sheet.style.transform = place.scale === 1 ? "" : `translate(${place.x}px, ${place.y}px) scale(${place.scale})`;
    setAttribute(glass, "data-zoomed", place.scale > 1);
    glass.dispatchEvent(new Event("mapmoved"));
  }

  /** @param {number} factor */
  function zoom(factor) {
    const { width, height } = glass.getBoundingClientRect();
    show(zoomed(place, factor, { x: width / 2, y: height / 2 }));
  }

  /** @param {{clientX: number, clientY: number}} event */
  function onGlass({ clientX, clientY }) {
    const { left, top } = glass.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** @param {PointerEvent} event */
  function down(event) {
    if (event.isPrimary) {
      fingers.clear();
      panned = false;
    }
    fingers.set(event.pointerId, onGlass(event));
  }

  /** @param {PointerEvent} event */
  function move(event) {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = onGlass(event);
    if (!panned && Math.hypot(now.x - before.x, now.y - before.y) < TAP_SLACK) return;
    panned = true;
    if (fingers.size === 1) show({ ...place, x: place.x + now.x - before.x, y: place.y + now.y - before.y });
    else pinch(event.pointerId, before, now);
    fingers.set(event.pointerId, now);
  }

  /**
   * @param {number} moving
   * @param {Point} before
   * @param {Point} now
   */
  function pinch(moving, before, now) {
    const still = [...fingers].find(([id]) => id !== moving)?.[1];
    if (!still) return;
    const factor = Math.hypot(now.x - still.x, now.y - still.y) / Math.hypot(before.x - still.x, before.y - still.y);
    if (Number.isFinite(factor) && factor > 0) show(zoomed(place, factor, still));
  }

  /** @param {PointerEvent} event */
  function up(event) {
    fingers.delete(event.pointerId);
  }

  sheet.addEventListener("pointerdown", down);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", up);
  sheet.addEventListener("click", (event) => panned && event.stopPropagation(), { capture: true });
  sheet.addEventListener("wheel", (event) => wheel(event), { passive: false });
  addEventListener("resize", () => show(place));

  /** @param {WheelEvent} event */
  function wheel(event) {
    event.preventDefault();
    show(zoomed(place, Math.exp(-event.deltaY / 400), onGlass(event)));
  }

  button("zoom-in", "map.zoom_in", () => zoom(STEP));
  button("zoom-out", "map.zoom_out", () => zoom(1 / STEP));
  button("zoom-fit", "map.fit", () => show({ x: 0, y: 0, scale: 1 }));
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
