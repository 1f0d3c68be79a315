import { beforeAll, describe as group, expect, test } from 'vitest';
import { LANGUAGES, speak, t } from '../../i18n/index.svelte';
import type { Event, TableView } from '../../wire/rollwrite';
import { chapterOf, outlines } from './outline';
import { TEST_OUTLINE } from './testOutline';
import {
  describe,
  describeCell,
  faceName,
  groupName,
  lineName,
  matchName,
  modeName,
  reason,
  shapeWord,
  standingLine,
  taskName,
  title,
} from './words';

outlines.keep(TEST_OUTLINE);
const { modes } = TEST_OUTLINE;
const names = ['Ada', 'Bo'];
const events: readonly Event[] = [
  { type: 'rolled', faces: ['corner', 'blank', 'industrial'], kind: 'industrial' },
  { type: 'built', seat: 0, kind: 'church', cells: ['c4', 'c5'] },
  { type: 'passed', seat: 1, circles: 2 },
  { type: 'stopped', seat: 1 },
  { type: 'race-won', seat: 0, race: 'gold', points: 5 },
  { type: 'ended' },
];
const LINES = [
  'passes',
  'plains',
  'forest',
  'gold',
  'trees',
  'rocks',
  'empty',
  'group-residential',
  'group-industrial',
  'group-administrative',
  'wells',
  'churches',
  'bandits',
  'complete',
  'never-passed',
  'all-trees',
  'no-rocks',
  'no-empty',
  'purses',
];

group('in English', () => {
  beforeAll(() => speak('en'));

  test('describes events in sentences', () => {
    expect(events.map((event) => describe(event, names, t))).toEqual([
      'Rolled: industrial building.',
      'Ada drew at c4: church.',
      'Bo passed: 2 circles ticked.',
      'Bo stopped.',
      'Ada was first, Gold: 5 points.',
      'The sheets are full.',
    ]);
    expect(describe({ type: 'moon-landing' }, names, t)).toBe('');
  });

  test('every line of a sheet has a name', () => {
    for (const line of LINES) expect(lineName(line, t)).not.toBe(line);
    expect(lineName('moon', t)).toBe('moon');
  });

  test('shapes are recognized in every orientation', () => {
    expect(['#', '.#\n##', '#.\n#.\n##', '.##\n.#.', '###\n#.#', '####'].map((shape) => shapeWord(shape, t))).toEqual([
      'single',
      'corner',
      'L',
      'corner',
      'U',
      'row of four',
    ]);
    expect(taskName({ kind: 'administrative', shape: '##' }, t)).toBe('public, pair');
    expect(faceName('compass', t)).toBe('compass');
  });

  test('modes have different names inside their group', () => {
    expect(modes.map((mode) => modeName(mode, t))).toEqual([
      '1',
      '5',
      '3 · A race for purses',
      'All 12 episodes',
      'Short: 3, 6 and 12',
    ]);
    expect([1, 3, 4, 12].map(chapterOf)).toEqual([1, 1, 2, 4]);
    expect(groupName('episode', t)).toBe('One episode');
    expect(matchName({ episode: 7, seats: 2 }, t)).toBe('Episode 7');
  });

  test('standings describe episodes, purses, chapters and titles', () => {
    const inWords = (line: string, count: number, points: number): unknown => standingLine({ line, count, points }, t);
    expect(inWords('episode-9', 1, -4)).toEqual({ name: 'Episode 9', value: '−4' });
    expect(inWords('purses', 3, 10)).toEqual({ name: 'Purses', value: '3 (+10)' });
    expect(inWords('purses', 3, 0)).toEqual({ name: 'Purses', value: '3' });
    expect(inWords('chapter-3', 61, 0)).toEqual({ name: '3 · A race for purses', value: '61', strong: true });
    expect(inWords('chapter-title-3', 7, 0)).toEqual({ name: 'Title', value: 'Builder’s hand' });
    expect(inWords('campaign', 230, 0)).toMatchObject({ value: '230' });
    expect(inWords('title', 9, 0)).toMatchObject({ value: 'Legend of the skyline' });
    expect(inWords('moon', 1, 1)).toBeUndefined();
  });

  test('describes a cell with its print, building or bandit', () => {
    const table = {
      rows: ['.2x', 'h..'],
      signs: { '.': 'meadow', '2': 'trees', x: 'meadow', h: 'plains' },
      cities: [
        {
          buildings: [{ kind: 'industrial', cells: ['b2', 'c2'], printed: false }],
          bandits: ['c1'],
          caught: [],
        },
      ],
    } as unknown as TableView;
    expect(describeCell(table, 0, 'b1', [], t)).toBe('b1, two trees');
    expect(describeCell(table, 0, 'c1', [], t)).toBe('c1, bandit');
    expect(describeCell(table, 0, 'a2', ['left'], t)).toBe('a2, high plain, river left');
    expect(describeCell(table, 0, 'c2', [], t)).toBe('c2, industrial building, pair');
  });
});

test.each(LANGUAGES)('has a short text for every reason: %s', async (language) => {
  await speak(language);
  for (const code of ['not-meadow', 'bandit', 'no-passing', 'row-full', 'must-build', 'both-banks', 'not-touching']) {
    const words = reason({ code }, t)?.split(/\s+/) ?? [];
    expect(words.length, code).toBeGreaterThan(1);
    expect(words.length, code).toBeLessThanOrEqual(9);
  }
  expect(reason({ code: 'moon' }, t)).toBeUndefined();
});

test.each(LANGUAGES)('has nine different titles: %s', async (language) => {
  await speak(language);
  const all = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(title);
  expect(new Set(all).size).toBe(9);
});
