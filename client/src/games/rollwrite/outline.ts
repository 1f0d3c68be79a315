import { OutlineCache } from '../../lib/match/outlines.svelte';
import type { Outline } from '../../wire/rollwrite';

export const outlines = new OutlineCache<Outline>('rollwrite');

/** The number of the chapter that an episode belongs to. */
export function chapterOf(episode: number): number {
  return outlines.current?.chapters[episode] ?? 1;
}
