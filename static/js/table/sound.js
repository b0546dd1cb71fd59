// A cable car's bell when it becomes this player's turn, and soft ticks of cards and cars. The sounds are synthesized. Browsers allow none
// before the page was touched.

import { recall, remember } from "../lib/storage.js";

/** @typedef {import("../wire.js").GameEvent} GameEvent */
/** @typedef {"bell" | "card" | "claim"} Noise */
/** @typedef {{after: number, pitch: number, length: number, loud: number}} Strike in seconds and Hertz */

const KEY = "fogline-sound";
/** Two strokes and three, as a gripman rings before a crossing, in seconds. */
const RHYTHM = [0, 0.17, 0.5, 0.67, 0.84];
const OVERTONES = [1, 2.76, 5.4];
/** @type {Record<Noise, Strike[]>} */
const NOISES = {
  bell: RHYTHM.flatMap((after) =>
    OVERTONES.map((tone, index) => ({ after, pitch: 1180 * tone, length: 0.5 / (index + 1), loud: 0.1 / (index + 1) })),
  ),
  card: [{ after: 0, pitch: 520, length: 0.05, loud: 0.05 }],
  claim: [0, 0.08].map((after) => ({ after, pitch: 300, length: 0.08, loud: 0.07 })),
};

/**
 * The sounds for events.
 *
 * @param {readonly GameEvent[]} events
 * @param {boolean} begins whether it has just become this player's turn
 * @returns {Noise[]}
 */
export function noisesOf(events, begins) {
  /** @param {RegExp} type */
  const heard = (type) => events.some((event) => type.test(event.type));
  /** @type {[Noise, boolean][]} */
  const noises = [
    ["bell", begins],
    ["card", heard(/^(market_card_taken|deck_card_drawn|tickets_drawn)$/)],
    ["claim", heard(/^route_claimed$/)],
  ];
  return noises.flatMap(([noise, sounds]) => (sounds ? [noise] : []));
}

export class Sound {
  /** @type {AudioContext | null} */
  #context = null;
  #on = recall(KEY) !== "off";

  constructor() {
    for (const gesture of ["pointerup", "keydown"]) addEventListener(gesture, () => this.#wake());
  }

  /** @param {readonly Noise[]} noises */
  play(noises) {
    if (this.#on && this.#context) for (const noise of noises) ring(this.#context, NOISES[noise]);
  }

  #wake() {
    if (!this.#on) return;
    this.#context ??= new AudioContext();
    if (this.#context.state !== "running") this.#context.resume();
  }

  get on() {
    return this.#on;
  }

  switch() {
    this.#on = !this.#on;
    remember(KEY, this.#on ? "on" : "off");
    this.#wake();
    this.play(["card"]);
  }
}

/**
 * @param {AudioContext} context
 * @param {readonly Strike[]} strikes
 */
function ring(context, strikes) {
  for (const { after, pitch, length, loud } of strikes) {
    const at = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: "sine", frequency: pitch });
    const gain = new GainNode(context, { gain: 0 });
    gain.gain.setValueAtTime(loud, at);
    gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
    tone.connect(gain).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
