import { expect, test } from 'vitest';
import type { CityView, TableView } from '../../../wire/rollwrite';
import { crossPath, hatchPath, sketchPath, stroke } from './pencil';
import { buildingAt, cellsWith, groundAt, landOf, sizeOf, winnersOf } from './sheet';

const rows = ['.2r', 'h~g', '^#x', '+sF'];
const signs: TableView['signs'] = {
  '.': 'meadow',
  '2': 'trees',
  r: 'rocks',
  h: 'plains',
  '~': 'flood',
  g: 'gold',
  '^': 'mountain',
  '#': 'forest',
  x: 'meadow',
  '+': 'meadow',
  s: 'meadow',
  F: 'meadow',
};
const sheet = { rows, signs };
const city: CityView = {
  buildings: [{ kind: 'industrial', cells: ['a2', 'a1'], printed: false }],
  open: 0,
  circles: 1,
  price: -1,
  next: 0,
  stopped: false,
  bandits: ['c3'],
  caught: [],
  purses: 0,
  won: ['plains'],
  covered: {},
  counted: {},
};

test('maps signs to grounds; things stand on bare paper', () => {
  expect(sizeOf(rows)).toEqual({ width: 3, height: 4 });
  expect(['a1', 'a2', 'b2', 'b3', 'c3', 'a4'].map((cell) => groundAt(sheet, cell))).toEqual([
    'meadow',
    'plains',
    'flood',
    'forest',
    'meadow',
    'meadow',
  ]);
  expect(landOf(sheet)[1]).toEqual(['meadow', 'meadow', 'gold']);
  expect(cellsWith(sheet, 'flood')).toEqual(['b2']);
});

test('a city has its buildings, and a race its winners', () => {
  expect(buildingAt(city, 'a1')?.kind).toBe('industrial');
  expect(buildingAt(city, 'b1')).toBeUndefined();
  const table = { cities: [city, { ...city, won: [] }, city] } as unknown as TableView;
  expect(winnersOf('plains', table)).toEqual([0, 2]);
});

test('strokes deviate a little, and always in the same way', () => {
  const line = stroke([0, 0], [100, 0], 1);
  expect(line).toBe(stroke([0, 0], [100, 0], 1));
  expect(line).not.toBe(stroke([0, 0], [100, 0], 2));
  const numbers = line.match(/-?[\d.]+/g)?.map(Number) ?? [];
  expect(numbers).toHaveLength(6);
  for (const y of numbers.filter((_, i) => i % 2)) expect(Math.abs(y)).toBeLessThan(12);
});

test('buildings are outlined side by side, hatched through and crossed in every cell', () => {
  const strokes = (path: string): number => path.match(/M/g)?.length ?? 0;
  expect(strokes(sketchPath(['a1', 'b1'], 8, 1))).toBe(4);
  expect(strokes(sketchPath(['a1', 'a2', 'b2'], 8, 1))).toBe(6);
  expect(strokes(crossPath(['a1', 'b1', 'c1'], 10))).toBe(6);
  expect(strokes(hatchPath(['a1'], 13, 25))).toBeGreaterThan(3);
});
