import { describe, expect, it } from 'vitest';
import type { Moments } from '../games/types';
import type { Messages } from '../i18n/index.svelte';
import { splitThing, TABLE_THINGS } from '../lib/match/things';
import type { GuideData, Offer, Step, Condition } from './types';
import { partKey, stepKey, thingKeys } from './words';

const GUIDES = import.meta.glob<GuideData>('../games/*/guides/*.json', { eager: true, import: 'default' });
const MOMENTS = import.meta.glob<Moments>('../games/*/moments.ts', { eager: true, import: 'default' });
const THINGS = import.meta.glob<readonly string[]>('../games/*/things.ts', { eager: true, import: 'THINGS' });
const WIRE = import.meta.glob<string>('../wire/*.ts', { eager: true, import: 'default', query: '?raw' });
const BOOKS = import.meta.glob<Messages>('../i18n/en/books/guide*.json', { eager: true, import: 'default' });

/** At most two sentences a step. */
const SENTENCES = 2;

const words = (game: string): Messages => ({
  ...BOOKS['../i18n/en/books/guide.json'],
  ...BOOKS[`../i18n/en/books/guide-${game}.json`],
});

/** Returns the tags of a wire union: those of all events, or of all actions. */
function tags(game: string, union: 'Event' | 'Action'): readonly string[] {
  const text = WIRE[`../wire/${game}.ts`] ?? '';
  const names = new RegExp(`export type ${union} = ([^;]+);`).exec(text)?.[1]?.split(' | ') ?? [];
  return names.flatMap(
    (name) => new RegExp(`export type ${name} = \\{\\s+readonly type: "([^"]+)"`).exec(text)?.[1] ?? [],
  );
}

function unknown(when: Condition | undefined, game: string): readonly string[] {
  if (when === undefined || when === 'next' || when === 'over') return [];
  if ('event' in when) return [when.event].flat().filter((event) => !tags(game, 'Event').includes(event));
  if ('due' in when) return tags(game, 'Action').includes(when.due) ? [] : [when.due];
  if ('used' in when) return unnamed([when.used], game);
  return MOMENTS[`../games/${game}/moments.ts`]?.[when.moment] ? [] : [when.moment];
}

function unnamed(things: readonly string[], game: string): readonly string[] {
  const known: readonly string[] = [...(THINGS[`../games/${game}/things.ts`] ?? []), ...TABLE_THINGS];
  return things.filter((thing) => !known.includes(splitThing(thing)[0]));
}

const leads = ({ play, guide, next, page }: Offer): number => [play, guide, next, page].filter(Boolean).length;

describe.each(Object.entries(GUIDES))('%s', (path, guide) => {
  const game = path.split('/')[2] ?? '';
  const steps: readonly Step[] = guide.sections.flatMap((section) => section.steps);
  const offers = steps.flatMap((step) => step.offers ?? []);

  it('has texts for every part, step and offer', () => {
    const keys = [
      ...guide.sections.map(({ id }) => partKey(game, id)),
      ...steps.map(({ text }) => stepKey(game, text)),
      ...offers.map(({ text }) => `guide.offer.${text}`),
    ];
    expect(keys.filter((key) => !Object.hasOwn(words(game), key))).toEqual([]);
  });

  it('has only targets that exist and have names', () => {
    const things = steps.flatMap(({ thing = [] }) => thing);
    expect(unnamed(things, game)).toEqual([]);
    const first = steps.flatMap(({ thing = [] }) => [thing].flat().slice(0, 1));
    expect(first.filter((thing) => !thingKeys(game, thing).some((key) => Object.hasOwn(words(game), key)))).toEqual([]);
  });

  it('has only conditions that can occur', () => {
    const waits = [...guide.sections.map(({ from }) => from), ...steps.flatMap((step) => [step.if, step.until])];
    expect(waits.flatMap((when) => unknown(when, game))).toEqual([]);
  });

  it('has unique ids and texts, and short texts', () => {
    const ids = guide.sections.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const texts = steps.map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    for (const text of texts) {
      const said = words(game)[stepKey(game, text)];
      expect(typeof said === 'string' ? (said.match(/[.!?](?= |$)/g)?.length ?? 0) : 0, text).toBeLessThanOrEqual(
        SENTENCES + (text.endsWith('.goal') || text.endsWith('.city') ? 1 : 0), // and a welcome text
      );
    }
  });

  it('ends with the match, with offers at the end', () => {
    expect(guide.sections.at(-1)?.from).toBe('over');
    expect(guide.sections.at(-1)?.steps.at(-1)?.offers?.length).toBeGreaterThan(1);
    expect(offers.filter((offer) => leads(offer) !== 1)).toEqual([]);
    for (const { guide: name } of offers)
      if (name) expect(GUIDES[`../games/${game}/guides/${name}.json`]).toBeDefined();
  });

  it('fits the table that is made for it', () => {
    expect(guide.fits.seats).toContain(guide.table.seats);
    expect(guide.table.setup).toMatchObject(guide.fits.setup);
    expect(guide.table.seed).not.toBe('');
  });
});

it('every text of the books is used by a guide', () => {
  for (const [path, book] of Object.entries(BOOKS)) {
    const game = /guide-(\w+)\.json/.exec(path)?.[1];
    if (!game) continue;
    const guides = Object.entries(GUIDES).filter(([of]) => of.includes(`/${game}/`));
    const said = guides.flatMap(([, { sections }]) =>
      sections.flatMap(({ id, steps }) => [
        partKey(game, id),
        ...steps.flatMap((step) => [
          stepKey(game, step.text),
          ...[step.thing ?? []].flat().flatMap((thing) => thingKeys(game, thing)),
        ]),
      ]),
    );
    expect(Object.keys(book).filter((key) => !said.includes(key))).toEqual([]);
  }
});
