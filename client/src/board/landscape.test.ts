import { expect, test } from 'vitest';
import { landscape } from './landscape';
import type { Terrain } from './terrain';

const terrain: Terrain = [
  ['meadow', 'trees', 'forest'],
  ['mountain', 'well', 'forest'],
];

test('things stand on their cells, and woods are one body', () => {
  const land = landscape(terrain);
  expect(land.things.map(({ cell, ground }) => [cell, ground])).toEqual([
    ['b1', 'trees'],
    ['b2', 'well'],
  ]);
  expect(land.forest.match(/M/g)).toHaveLength(1);
  expect(land.crowns.length).toBeGreaterThan(4);
});

test('the same ground is always drawn alike, and only once', () => {
  expect(landscape(terrain.map((row) => [...row]))).toBe(landscape(terrain));
});
