import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES, speak, tMaybe, type Language, type Messages } from '../../../i18n/index.svelte';
import type { Message } from '../../../i18n/types';
import { chapterOf, CHAPTERS, EPISODES, openChapters, openedChapter, pictureOf } from './index.svelte';
import { bringer, newIn, rulesIn } from './rules';

const FILES = import.meta.glob<Messages>('./*/*.json', { eager: true, import: 'default' });
const ALL = Array.from({ length: CHAPTERS }, (_, i) => i + 1);

const texts = (message: Message): string[] => (typeof message === 'string' ? [message] : Object.values(message));
const gaps = (message: Message): string[] =>
  [...new Set([...texts(message).join().matchAll(/\{(\w+)\}/g)].map((found) => found[1] ?? ''))].sort();

function words(chapter: number, language: Language): Messages {
  const found = FILES[`./${chapter}/${language}.json`];
  if (!found) throw new Error(`chapter ${chapter} does not speak ${language}`);
  return found;
}

describe.each(ALL)('the words of chapter %i', (chapter) => {
  const english = words(chapter, 'en');

  it.each(LANGUAGES)('are complete in %s', (language) => {
    const spoken = words(chapter, language);
    expect(Object.keys(spoken).sort()).toEqual(Object.keys(english).sort());
    for (const [key, message] of Object.entries(english)) {
      expect(gaps(spoken[key] ?? ''), key).toEqual(gaps(message));
      expect(typeof spoken[key], key).toBe(typeof message);
      for (const text of texts(spoken[key] ?? '')) expect(text.trim(), key).not.toBe('');
    }
  });

  it('write French with its own apostrophe', () => {
    for (const [key, message] of Object.entries(words(chapter, 'fr')))
      for (const text of texts(message)) expect(text, key).not.toContain("'");
  });

  it('are in no other chapter', () => {
    for (const other of ALL.filter((one) => one !== chapter))
      expect(Object.keys(words(other, 'en')).filter((key) => Object.hasOwn(english, key))).toEqual([]);
  });

  it('have a picture on their envelope', async () => expect(await pictureOf(chapter)).not.toBeNull());
});

describe('an envelope', () => {
  beforeAll(() => speak('en'));
  const name = (chapter: number): string => tMaybe(`mycity.chapter.${chapter}.name`, 'sealed');

  it('is sealed before it is opened', () => {
    expect(openedChapter()).toBe(0);
    expect(ALL.map(name)).toEqual(ALL.map(() => 'sealed'));
  });

  it('opens with all before it, and no other', async () => {
    await openChapters(2);
    expect(openedChapter()).toBe(2);
    expect(ALL.map((chapter) => name(chapter) === 'sealed')).toEqual(ALL.map((chapter) => chapter > 2));
  });

  it('stays open in another language', async () => {
    const english = name(2);
    await speak('fr');
    expect(name(2)).not.toBe('sealed');
    expect(name(2)).not.toBe(english);
    expect(name(3)).toBe('sealed');
    await speak('en');
    expect(name(2)).toBe(english);
  });

  it('is not closed by asking for an earlier one', async () => {
    await openChapters(1);
    expect(openedChapter()).toBe(2);
  });
});

describe('an episode', () => {
  it.each([
    [1, 1],
    [3, 1],
    [4, 2],
    [24, 8],
  ])('%i is of chapter %i', (episode, chapter) => expect(chapterOf(episode)).toBe(chapter));
});

describe('a rule', () => {
  const episodes = Array.from({ length: CHAPTERS * EPISODES }, (_, i) => i + 1);

  it('has its words in the chapter that brings it', () => {
    const written = ALL.map((chapter) =>
      Object.keys(words(chapter, 'en')).flatMap((key) => /^mycity\.rule\.(.+)$/.exec(key)?.[1] ?? []),
    );
    const brought = ALL.map((chapter) => episodes.filter((one) => chapterOf(one) === chapter).flatMap((one) => newIn(one)));
    expect(brought).toEqual(written);
  });

  it('is brought by every episode, and holds in it', () => {
    for (const episode of episodes) {
      expect(newIn(episode), `episode ${episode}`).not.toEqual([]);
      expect(rulesIn(episode)).toEqual(expect.arrayContaining([...newIn(episode)]));
    }
  });

  it('never holds before it is brought', () => {
    for (const episode of episodes) expect(rulesIn(episode).filter((rule) => bringer(rule) > episode)).toEqual([]);
  });
});
