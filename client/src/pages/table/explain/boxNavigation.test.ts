import { describe, expect, it } from 'vitest';
import { nearestBox, overlap, type Box } from './boxNavigation';

const at = (x: number, y: number): Box => ({ left: x, top: y, right: x + 10, bottom: y + 10 });
const GRID = [at(0, 0), at(20, 0), at(40, 0), at(0, 20), at(20, 20), at(40, 20)];

describe('arrow keys', () => {
  it.each([
    ['right', 1, 2],
    ['left', 1, 0],
    ['down', 1, 4],
    ['up', 4, 1],
  ] as const)('%s goes to the neighbour', (way, from, to) => expect(nearestBox(GRID[from]!, GRID, way)).toBe(to));

  it('stops at the edge', () => expect(nearestBox(GRID[2]!, GRID, 'right')).toBe(-1));

  it('goes to boxes aside if none is straight ahead', () =>
    expect(nearestBox(at(0, 0), [at(0, 0), at(60, 30)], 'right')).toBe(1));
});

it('handles boxes that share a side', () => {
  expect(overlap(at(0, 0), at(10, 0))).toBe(false);
  expect(overlap(at(0, 0), at(9, 9))).toBe(true);
});
