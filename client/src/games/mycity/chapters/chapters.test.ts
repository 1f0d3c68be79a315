import { beforeAll, describe, expect, it } from 'vitest';
import { speak, tMaybe } from '../../../i18n/index.svelte';
import { episodeIntroducing, chapterOf, rulesIntroducedIn, outlines, rulesIn } from '../outline';
import { TEST_OUTLINE } from '../testOutline';
import { CHAPTERS, openChapters, openedChapter, pictureOf } from './index.svelte';

const ALL = CHAPTERS;

it('has an envelope for every chapter', () =>
  expect(ALL).toEqual([...new Set(TEST_OUTLINE.episodes.map(({ chapter }) => chapter))]));

it.each([...ALL])('the envelope of chapter %i has a picture', async (chapter) =>
  expect(await pictureOf(chapter)).not.toBeNull(),
);

describe('an envelope', () => {
  beforeAll(() => speak('en'));
  const name = (chapter: number): string => tMaybe(`mycity.chapter.${chapter}.name`, 'sealed');

  it('is sealed before it is opened', () => {
    expect(openedChapter()).toBe(0);
    expect(ALL.map(name)).toEqual(ALL.map(() => 'sealed'));
  });

  it('opens together with all earlier ones only', async () => {
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

  it('stays open after a request for an earlier one', async () => {
    await openChapters(1);
    expect(openedChapter()).toBe(2);
  });
});

describe('an episode', () => {
  beforeAll(() => outlines.keep(TEST_OUTLINE));

  it('belongs to the chapter in the outline', () => expect([1, 3, 4, 24].map(chapterOf)).toEqual([1, 1, 2, 8]));
  it('introduces rules and keeps older ones', () => {
    expect([rulesIntroducedIn(3), rulesIn(3)]).toEqual([['3.1'], ['1.1', '2.1', '3.1']]);
    expect(episodeIntroducing('3.1')).toBe(3);
  });
});
