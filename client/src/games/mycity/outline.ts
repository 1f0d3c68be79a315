import { OutlineCache } from '../../lib/match/outlines.svelte';
import type { CardOutline, EpisodeOutline, Outline } from '../../wire/mycity';

export const outlines = new OutlineCache<Outline>('mycity');

export function cardOf(card: string): CardOutline | undefined {
  return outlines.current?.cards[card];
}

/** Returns the chapter of an episode; the first one for unknown episodes. */
export function chapterOf(episode: number): number {
  return episodeNumber(episode)?.chapter ?? 1;
}

/**
 * Returns the rules in force in an episode, the oldest first. Their texts are sealed with the chapter that
 * introduces them.
 */
export function rulesIn(episode: number): readonly string[] {
  return episodeNumber(episode)?.rules ?? [];
}

/** Returns the rules that an episode introduces. */
export function rulesIntroducedIn(episode: number): readonly string[] {
  return episodeNumber(episode)?.brings ?? [];
}

/** Returns the episode that introduces a rule. */
export function episodeIntroducing(rule: string): number {
  return outlines.current?.episodes.find(({ brings }) => brings.includes(rule))?.episode ?? 1;
}

function episodeNumber(wanted: number): EpisodeOutline | undefined {
  return outlines.current?.episodes.find(({ episode }) => episode === wanted);
}
