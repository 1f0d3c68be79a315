import { OutlineCache } from '../../lib/match/outlines.svelte';
import type { Outline } from '../../wire/rollwrite';

export const outlines = new OutlineCache<Outline>('rollwrite');

/** Returns the number of the chapter of an episode. */
export function chapterOf(episode: number): number {
  return outlines.current?.chapters[episode] ?? 1;
}
