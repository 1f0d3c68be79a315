import type { FeedbackKind } from '../../games/types';
import { vibrates, volume } from '../site/settings.svelte';

/** Milliseconds on and off. Cards have a sound, but no vibration. */
const VIBRATION_PATTERNS: Readonly<Partial<Record<FeedbackKind, number[]>>> = {
  place: [12],
  dice: [8, 50, 8],
  seal: [16],
  gold: [10, 60, 16],
  yours: [20],
};
/** Between two kinds of feedback that come at once. */
const GAP_MILLISECONDS = 140;

let context: AudioContext | null = null;

/** Plays the sound and vibration of each kind, one after the other, as the settings allow. */
export function playFeedback(...what: readonly FeedbackKind[]): void {
  [...new Set(what)].forEach((each, at) => {
    if (at === 0) playOne(each);
    else setTimeout(() => playOne(each), at * GAP_MILLISECONDS);
  });
}

function playOne(what: FeedbackKind): void {
  if (volume() > 0) void playSound(what).catch(() => undefined); // the table works without sound
  const pattern = VIBRATION_PATTERNS[what];
  // Browsers log an error before the first touch of the page.
  if (pattern && vibrates() && 'vibrate' in navigator && navigator.userActivation.hasBeenActive)
    navigator.vibrate(pattern);
}

async function playSound(what: FeedbackKind): Promise<void> {
  const { default: sound } = await import('./sounds');
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  const loudness = context.createGain();
  loudness.gain.value = volume() ** 1.5;
  loudness.connect(context.destination);
  sound(context, loudness, what);
}
