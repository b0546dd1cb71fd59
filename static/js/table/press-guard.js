// Whether a tap, a click or a key was meant for what its control does now: it plays only what could be seen when it began. Else
// the second tap of two takes the card that has just come into the place of the first, or confirms what has just been asked.

/** So long, in milliseconds, something must have been in sight. */
const IN_SIGHT = 300;
/** A finger that rests for so long looks at something, and plays nothing. */
const LONG = 500;

/** @type {Map<string, {meaning: unknown, since: number}>} what controls show, and since when, in the time of events */
export const shown = new Map();

const press = { began: 0, ended: 0, pressing: false, rests: false, stray: false };

const CAPTURE = { capture: true, passive: true };
addEventListener("pointerdown", begin, CAPTURE);
addEventListener(
  "keydown",
  ({ key, repeat, timeStamp }) => (key === "Enter" || key === " ") && strike(timeStamp, repeat),
  CAPTURE,
);
addEventListener("click", ({ timeStamp }) => end(timeStamp), CAPTURE);

/** @param {PointerEvent} event */
function begin({ timeStamp, isPrimary, pointerType }) {
  press.stray = !isPrimary;
  press.rests = pointerType !== "mouse" || matchMedia("(pointer: coarse)").matches;
  press.pressing = true;
  if (isPrimary) press.began = press.ended = timeStamp;
}

/**
 * @param {number} time
 * @param {boolean} repeat whether the key is still held, which is one press
 */
function strike(time, repeat) {
  press.stray = press.rests = false;
  press.pressing = true;
  if (!repeat) press.began = press.ended = time;
}

/** @param {number} time of a click, which screen readers make without a pointer */
function end(time) {
  if (!press.pressing) Object.assign(press, { began: time, rests: false, stray: false });
  press.ended = time;
  press.pressing = false;
}

/**
 * Tells what a control shows from now on. What it shows first was not changed under a finger.
 *
 * @param {string} control
 * @param {unknown} meaning
 */
export function shows(control, meaning) {
  const known = shown.get(control);
  if (!known || known.meaning !== meaning) shown.set(control, { meaning, since: known ? performance.now() : 0 });
}

/**
 * What a control did is done: what it shows now is new, even where it looks the same.
 *
 * @param {string} control
 */
export function renew(control) {
  shown.set(control, { meaning: shown.get(control)?.meaning, since: performance.now() });
}

/**
 * Whether the press that is handled now was meant for what a control does.
 *
 * @param {string} control
 */
export function isMeant(control) {
  const { began, ended, rests, stray } = press;
  const since = shown.get(control)?.since ?? 0;
  return !stray && (since === 0 || began >= since + IN_SIGHT) && !(rests && ended - began > LONG);
}
