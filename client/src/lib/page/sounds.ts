import type { FeedbackKind } from '../../games/types';

type Sound = (context: BaseAudioContext, out: AudioNode, at: number) => void;

/** Short sounds of wood, paper, wax and small bells, all synthesized. */
const SOUNDS: Readonly<Record<FeedbackKind, Sound>> = {
  place: (context, out, at) => {
    knock(context, out, at, { low: 190, to: 120, loud: 0.5, long: 0.12 });
    rustle(context, out, at, { from: 1100, to: 500, loud: 0.22, long: 0.05, narrow: 1.2 });
  },
  turn: (context, out, at) => {
    rustle(context, out, at, { from: 1600, to: 4200, loud: 0.2, long: 0.16, narrow: 0.8, swell: 0.05 });
    rustle(context, out, at + 0.15, { from: 1400, to: 700, loud: 0.12, long: 0.05, narrow: 1 });
  },
  dice: (context, out, at) => {
    [0, 0.07, 0.12, 0.21, 0.26, 0.36, 0.47].forEach((after, throwing) => {
      const loud = 0.26 * 0.88 ** throwing;
      rustle(context, out, at + after, { from: 2600 - 150 * throwing, to: 1500, loud, long: 0.035, narrow: 2.2 });
      knock(context, out, at + after, { low: 520 - 28 * throwing, to: 330, loud: loud * 0.6, long: 0.05 });
    });
  },
  seal: (context, out, at) => {
    knock(context, out, at, { low: 150, to: 80, loud: 0.42, long: 0.14 });
    rustle(context, out, at, { from: 900, to: 500, loud: 0.28, long: 0.07, narrow: 0.9 });
    rustle(context, out, at + 0.14, { from: 1200, to: 3600, loud: 0.14, long: 0.34, narrow: 0.7, swell: 0.12 });
  },
  gold: (context, out, at) => {
    pluck(context, out, at, { tone: 1046.5, loud: 0.2, long: 0.55 });
    pluck(context, out, at + 0.09, { tone: 1568, loud: 0.17, long: 0.75 });
  },
  yours: (context, out, at) => {
    pluck(context, out, at, { tone: 392, loud: 0.26, long: 0.4 });
    pluck(context, out, at + 0.13, { tone: 587.3, loud: 0.24, long: 0.55 });
  },
};

/** Plays a sound through `out` at once. */
export default function sound(context: BaseAudioContext, out: AudioNode, what: FeedbackKind): void {
  SOUNDS[what](context, out, context.currentTime + 0.01);
}

/** A gain with a soft attack and a soft release. */
function breath(
  context: BaseAudioContext,
  out: AudioNode,
  at: number,
  loud: number,
  rise: number,
  long: number,
): GainNode {
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, at);
  gain.gain.exponentialRampToValueAtTime(loud, at + rise);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + rise + long);
  gain.connect(out);
  return gain;
}

interface Knock {
  readonly low: number;
  readonly to: number;
  readonly loud: number;
  readonly long: number;
}

/** Wood on wood. */
function knock(context: BaseAudioContext, out: AudioNode, at: number, { low, to, loud, long }: Knock): void {
  const tone = context.createOscillator();
  tone.frequency.setValueAtTime(low, at);
  tone.frequency.exponentialRampToValueAtTime(to, at + long);
  tone.connect(breath(context, out, at, loud, 0.004, long));
  tone.start(at);
  tone.stop(at + long + 0.03);
}

interface Rustle {
  /** The centre frequency of the filter, at the beginning and at the end. */
  readonly from: number;
  readonly to: number;
  readonly loud: number;
  readonly long: number;
  readonly narrow: number;
  /** Seconds of the attack. */
  readonly swell?: number;
}

/** Paper on paper, or the edge of a die. */
function rustle(
  context: BaseAudioContext,
  out: AudioNode,
  at: number,
  { from, to, loud, long, narrow, swell = 0.004 }: Rustle,
): void {
  const source = context.createBufferSource();
  source.buffer = hiss(context);
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.Q.value = narrow;
  filter.frequency.setValueAtTime(from, at);
  filter.frequency.exponentialRampToValueAtTime(to, at + swell + long);
  source.connect(filter).connect(breath(context, out, at, loud, swell, long));
  source.start(at);
  source.stop(at + swell + long + 0.03);
}

interface Pluck {
  readonly tone: number;
  readonly loud: number;
  readonly long: number;
}

/** A string or a small bell: a tone with overtones that decay sooner. */
function pluck(context: BaseAudioContext, out: AudioNode, at: number, { tone, loud, long }: Pluck): void {
  for (const [times, share] of [
    [1, 1],
    [2, 0.35],
    [3, 0.12],
  ] as const) {
    const string = context.createOscillator();
    string.type = times === 1 ? 'triangle' : 'sine';
    string.frequency.value = tone * times;
    string.connect(breath(context, out, at, loud * share, 0.006, long / times));
    string.start(at);
    string.stop(at + long + 0.05);
  }
}

const hisses = new WeakMap<BaseAudioContext, AudioBuffer>();

/** Half a second of noise, the same each time. */
function hiss(context: BaseAudioContext): AudioBuffer {
  const known = hisses.get(context);
  if (known) return known;
  const buffer = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
  const data = buffer.getChannelData(0);
  let state = 7;
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    data[at] = state / 2 ** 31;
  }
  hisses.set(context, buffer);
  return buffer;
}
