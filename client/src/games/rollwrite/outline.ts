import { Outlines } from '../../lib/match/outlines.svelte';
import type { Outline } from '../../wire/rollwrite';

export const outlines = new Outlines<Outline>('rollwrite');

/** The number of the chapter that an episode belongs to. */
export function chapterOf(episode: number): number {
  return outlines.now?.chapters[episode] ?? 1;
}
