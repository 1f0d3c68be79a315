import { expect, test } from 'vitest';
import { cog, centralCell, outline, ridge, boundaryRings, riverPath, roundedPath } from './paths';

test('a cell has four corners', () => {
  expect(boundaryRings(['a1'])).toEqual([
    [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ],
  ]);
});

test('a building has one outline without inner lines', () => {
  // #..
  // ###
  const [ring, ...others] = boundaryRings(['a1', 'a2', 'b2', 'c2']);
  expect(others).toEqual([]);
  expect(ring).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
    [3, 1],
    [3, 2],
    [0, 2],
  ]);
});

test('cells that meet at a corner have separate outlines', () => {
  expect(boundaryRings(['a1', 'b2'])).toHaveLength(2);
});

test('a hole is a separate ring in the opposite direction', () => {
  const around = ['a1', 'b1', 'c1', 'a2', 'c2', 'a3', 'b3', 'c3'];
  const found = boundaryRings(around);
  expect(found.map((ring) => ring.length)).toEqual([4, 4]);
  expect(new Set(found[1]!.map((corner) => corner.join()))).toEqual(new Set(['1,1', '2,1', '2,2', '1,2']));
});

test('an outline is inset from its cells', () => {
  expect(outline(['a1'], 5, 0)).toBe(
    'M5 5A0 0 0 0 1 5 5L95 5A0 0 0 0 1 95 5L95 95A0 0 0 0 1 95 95L5 95A0 0 0 0 1 5 95Z',
  );
});

test('an inner corner is inset, too, and bends the other way', () => {
  const path = outline(['a1', 'a2', 'b2'], 10, 20);
  expect(path).toContain('A20 20 0 0 0 110 110');
  expect(path.match(/A/g)).toHaveLength(6);
});

test('the radius of a bend is limited by the length of its legs', () => {
  const path = roundedPath(
    [
      [0, 0],
      [10, 0],
      [10, 100],
    ],
    { radius: 34, closed: false },
  );
  expect(path).toBe('M0 0L5 0A5 5 0 0 1 10 5L10 100');
});

test('a river follows the grid with rounded bends and extends beyond the border', () => {
  const path = riverPath(
    [
      [5, 0],
      [5, 2],
      [4, 2],
      [4, 5],
    ],
    30,
    3,
  );
  expect(path).toBe('M500 -3L500 170A30 30 0 0 1 470 200L430 200A30 30 0 0 0 400 230L400 503');
});

test('a board may have no river', () => {
  expect(riverPath([], 30, 3)).toBe('');
});

test('the ridge connects the middles of neighbouring cells', () => {
  expect(ridge(['a1', 'b1', 'a2'])).toBe('M50 50h100M50 50v100');
});

test('centralCell returns the cell nearest to the middle', () => {
  expect(centralCell(['a1', 'b1', 'c1'])).toBe('b1');
  // #..
  // ###
  expect(centralCell(['a1', 'a2', 'b2', 'c2'])).toBe('b2');
});

test('a toothed wheel has the requested number of teeth at the same distance from its middle', () => {
  const corners = cog([50, 50], 40, 6)
    .slice(1, -1)
    .split('L')
    .map((corner) => corner.split(' ').map(Number));
  const tips = corners.filter(([x, y]) => Math.abs(Math.hypot(x! - 50, y! - 50) - 40) < 0.2);
  expect(tips).toHaveLength(2 * 6);
});
