import { expect, test } from 'vitest';
import { landscape } from './landscape';
import type { Terrain } from './terrain';

const terrain: Terrain = [
  ['meadow', 'trees', 'forest'],
  ['mountain', 'well', 'forest'],
];

test('things are drawn on their cells, and adjacent woods as one area', () => {
  const land = landscape(terrain);
  expect(land.things.map(({ cell, ground }) => [cell, ground])).toEqual([
    ['b1', 'trees'],
    ['b2', 'well'],
  ]);
  expect(land.forest.match(/M/g)).toHaveLength(1);
  expect(land.crowns.length).toBeGreaterThan(4);
});

test('the same ground is always drawn in the same way, and only once', () => {
  expect(landscape(terrain.map((row) => [...row]))).toBe(landscape(terrain));
});

test('flooded cells are one area of water with waves and without plants', () => {
  const land = landscape([
    ['water', 'water', 'tree'],
    ['water', 'meadow', 'red-entrance'],
  ]);
  expect(land.water.match(/M/g)).toHaveLength(1);
  expect(land.waves).not.toBe('');
  expect(land.things.map(({ ground }) => ground)).toEqual(['tree', 'red-entrance']);
});
