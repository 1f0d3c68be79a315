import { beforeAll, describe, expect, it } from 'vitest';
import { speak, tMaybe, type Messages } from '../../../i18n/index.svelte';
import { chapterOf, CHAPTERS, EPISODES, openChapters, openedChapter, pictureOf } from './index.svelte';
import { bringer, newIn, rulesIn } from './rules';

const ENGLISH = import.meta.glob<Messages>('./*/en.json', { eager: true, import: 'default' });
const ALL = Array.from({ length: CHAPTERS }, (_, i) => i + 1);

it.each(ALL)('the envelope of chapter %i has a picture', async (chapter) =>
  expect(await pictureOf(chapter)).not.toBeNull(),
);

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
      Object.keys(ENGLISH[`./${chapter}/en.json`] ?? {}).flatMap((key) => /^mycity\.rule\.(.+)$/.exec(key)?.[1] ?? []),
    );
    const brought = ALL.map((chapter) =>
      episodes.filter((one) => chapterOf(one) === chapter).flatMap((one) => newIn(one)),
    );
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
