import type { Feel } from '../../games/types';
import { touch, volume } from '../site/settings.svelte';

/** In milliseconds, on and off. What happens to a card is heard, not felt. */
const TOUCHES: Readonly<Partial<Record<Feel, number[]>>> = {
  place: [12],
  dice: [8, 50, 8],
  seal: [16],
  gold: [10, 60, 16],
  yours: [20],
};
/** Between two that come at once, in milliseconds. */
const APART = 140;

let context: AudioContext | null = null;

/** Things happen: each kind of them is heard once, one after the other, where somebody wants that. */
export function feel(...what: readonly Feel[]): void {
  [...new Set(what)].forEach((each, at) => {
    if (at === 0) feelOne(each);
    else setTimeout(() => feelOne(each), at * APART);
  });
}

function feelOne(what: Feel): void {
  if (volume() > 0) void hear(what).catch(() => undefined); // A table without sound is a table.
  const pattern = TOUCHES[what];
  // A browser complains where nobody has touched the page yet.
  if (pattern && touch() && 'vibrate' in navigator && navigator.userActivation.hasBeenActive)
    navigator.vibrate(pattern);
}

async function hear(what: Feel): Promise<void> {
  const { default: sound } = await import('./sounds');
  context ??= new AudioContext();
  if (context.state === 'suspended') await context.resume();
  const loudness = context.createGain();
  loudness.gain.value = volume() ** 1.5;
  loudness.connect(context.destination);
  sound(context, loudness, what);
}
