// Ignores presses that can't have been meant for what a control does now, because that wasn't visible when the press began. Otherwise the
// second of two taps would take the card that has just replaced the first, or confirm a question that has just appeared.

/** Milliseconds for which something must have been visible. */
const IN_SIGHT = 300;
/** A touch of more milliseconds is a look at something, not a press. */
const LONGEST = 500;

/** @type {Map<string, {meaning: unknown, since: number}>} what each control shows, and since when, by the clock of events */
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
 * @param {boolean} repeat whether the key is held down, which is one press
 */
function strike(time, repeat) {
  press.stray = press.rests = false;
  press.pressing = true;
  if (!repeat) press.began = press.ended = time;
}

/** @param {number} time of a click. Screen readers click without a pointer */
function end(time) {
  if (!press.pressing) Object.assign(press, { began: time, rests: false, stray: false });
  press.ended = time;
  press.pressing = false;
}

/**
 * Notes what a control shows from now on. The first thing it shows has replaced nothing, so any press is meant for it.
 *
 * @param {string} control
 * @param {unknown} meaning
 */
export function noteShown(control, meaning) {
  const known = shown.get(control);
  if (!known || known.meaning !== meaning) shown.set(control, { meaning, since: known ? performance.now() : 0 });
}

/**
 * Notes that a control has done its action: what it shows now counts as new, even if it looks the same.
 *
 * @param {string} control
 */
export function renew(control) {
  shown.set(control, { meaning: shown.get(control)?.meaning, since: performance.now() });
}

/**
 * Whether the press that is being handled was meant for what a control does.
 *
 * @param {string} control
 */
export function isMeant(control) {
  const { began, ended, rests, stray } = press;
  const since = shown.get(control)?.since ?? 0;
  return !stray && (since === 0 || began >= since + IN_SIGHT) && !(rests && ended - began > LONGEST);
}
