import { expect, test } from 'vitest';
import type { CityView, TableView } from '../../wire/rollwrite';
import { chapterOf, modes } from './campaign';
import { crossed, hatched, sketched, stroke } from './pencil';
import { buildingAt, cellsWith, compassBuilds, covered, groundAt, landOf, sizeOf, winnersOf } from './sheet';

const rows = ['.2r', 'h~g', '^#x', '+sF'];
const city: CityView = {
  buildings: [{ kind: 'industrial', cells: ['a2', 'a1'], printed: false }],
  circles: 1,
  stopped: false,
  bandits: ['c3'],
  caught: [],
  purses: 0,
  won: ['plains'],
  counted: {},
};
const race = { race: 'plains', points: 5, cells: ['a2', 'b4'], open: true };

test('signs become grounds; what stands there stands on bare paper', () => {
  expect(sizeOf(rows)).toEqual({ width: 3, height: 4 });
  expect(['a1', 'a2', 'b2', 'b3', 'c3', 'a4'].map((cell) => groundAt(rows, cell))).toEqual([
    'meadow',
    'plains',
    'flood',
    'forest',
    'meadow',
    'meadow',
  ]);
  expect(landOf(rows)[1]).toEqual(['meadow', 'meadow', 'gold']);
  expect(cellsWith(rows, '~')).toEqual(['b2']);
});

test('a city knows its buildings and how far it is in a race', () => {
  expect(buildingAt(city, 'a1')?.kind).toBe('industrial');
  expect(buildingAt(city, 'b1')).toBeUndefined();
  expect(covered(race, city)).toBe(1);
  expect(covered(race, undefined)).toBe(0);
  const table = { cities: [city, { ...city, won: [] }, city] } as unknown as TableView;
  expect(winnersOf('plains', table)).toEqual([0, 2]);
});

test('a compass builds while its row lasts', () => {
  const table = (kind: string, face = 'compass'): TableView =>
    ({ roll: { faces: ['single', face, 'industrial'], kind }, compass: { builds: 'church' } }) as unknown as TableView;
  expect(compassBuilds(table('church'))).toBe(true);
  expect(compassBuilds(table('industrial'))).toBe(false);
  expect(compassBuilds(table('industrial', 'blank'))).toBe(false);
  expect(compassBuilds({ ...table('church'), compass: null })).toBe(false);
});

test('a hand strays a little, and always in the same way', () => {
  const line = stroke([0, 0], [100, 0], 1);
  expect(line).toBe(stroke([0, 0], [100, 0], 1));
  expect(line).not.toBe(stroke([0, 0], [100, 0], 2));
  const numbers = line.match(/-?[\d.]+/g)?.map(Number) ?? [];
  expect(numbers).toHaveLength(6);
  for (const y of numbers.filter((_, i) => i % 2)) expect(Math.abs(y)).toBeLessThan(12);
});

test('buildings are outlined side by side, hatched through and crossed in every cell', () => {
  const strokes = (path: string): number => path.match(/M/g)?.length ?? 0;
  expect(strokes(sketched(['a1', 'b1'], 8, 1))).toBe(4);
  expect(strokes(sketched(['a1', 'a2', 'b2'], 8, 1))).toBe(6);
  expect(strokes(crossed(['a1', 'b1', 'c1'], 10))).toBe(6);
  expect(strokes(hatched(['a1'], 13, 25))).toBeGreaterThan(3);
});

test('there are twelve episodes, four chapters and two campaigns, and the first episode comes first', () => {
  const count = (group: string): number => modes.filter((mode) => mode.group === group).length;
  expect(['episode', 'chapter', 'campaign'].map(count)).toEqual([12, 4, 2]);
  expect(modes[0]).toEqual({ setup: { episode: 1 }, group: 'episode' });
  expect(modes.filter(({ plan }) => plan).map(({ plan, setup }) => [plan?.length, setup['episode']])).toEqual([
    [3, 1],
    [3, 4],
    [3, 7],
    [3, 10],
    [12, 1],
    [3, 3],
  ]);
  expect([1, 3, 4, 12].map(chapterOf)).toEqual([1, 1, 2, 4]);
});
