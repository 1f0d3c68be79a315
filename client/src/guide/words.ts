import { openBook } from '../i18n/books.svelte';
import type guide from '../i18n/en/books/guide.json';
import { signed, tMaybe, type Params } from '../i18n/index.svelte';
import { splitThing } from '../lib/match/things';

type Words = typeof guide;

declare module '../i18n/types' {
  interface English extends Words {}
}

/** Loads the texts of all guides, and those of one game. */
export async function openGuideBooks(game: string): Promise<void> {
  await Promise.all([openBook('guide'), openBook(`guide-${game}`)]);
}

export const stepKey = (game: string, text: string): string => `guide.${game}.${text}`;
export const partKey = (game: string, part: string): string => `guide.${game}.part.${part}`;

export function stepText(game: string, text: string, params: Params): string {
  return tMaybe(stepKey(game, text), text, { ...params, change: signed(Number(params.change)) });
}

export function partName(game: string, part: string): string {
  return tMaybe(partKey(game, part), part);
}

/** Returns the keys that may name a thing, the best first. */
export function thingKeys(game: string, thing: string): readonly string[] {
  const [kind, which] = splitThing(thing);
  const single = which ? [`guide.thing.${kind}.one`] : [];
  return [...single, `guide.${game}.thing.${kind}`, `guide.thing.${kind}`];
}

/** Returns the name of the target, for players who cannot see the ring. */
export function thingName(game: string, thing: string): string {
  const [, which] = splitThing(thing);
  return thingKeys(game, thing).reduceRight((known, key) => tMaybe(key, known, { which }), '');
}
