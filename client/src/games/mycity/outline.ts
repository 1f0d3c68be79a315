import { OutlineCache } from '../../lib/match/outlines.svelte';
import type { CardOutline, EpisodeOutline, Outline } from '../../wire/mycity';

export const outlines = new OutlineCache<Outline>('mycity');

export function cardOf(card: string): CardOutline | undefined {
  return outlines.current?.cards[card];
}

/** The chapter of an episode; an episode that nobody knows is of the first. */
export function chapterOf(episode: number): number {
  return episodeNumber(episode)?.chapter ?? 1;
}

/** The rules in force in an episode, the oldest first. Their words are sealed with the chapter that brings them. */
export function rulesIn(episode: number): readonly string[] {
  return episodeNumber(episode)?.rules ?? [];
}

/** What an episode brings. */
export function rulesIntroducedIn(episode: number): readonly string[] {
  return episodeNumber(episode)?.brings ?? [];
}

/** The episode that brings a rule. */
export function episodeIntroducing(rule: string): number {
  return outlines.current?.episodes.find(({ brings }) => brings.includes(rule))?.episode ?? 1;
}

function episodeNumber(wanted: number): EpisodeOutline | undefined {
  return outlines.current?.episodes.find(({ episode }) => episode === wanted);
}
