import { expect, test } from 'vitest';
import { lineGains } from './flyAnimation';

test('changed lines are sorted by their change', () => {
  const before = [
    { line: 'trees', points: 6 },
    { line: 'rocks', points: -4 },
    { line: 'empty', points: -20 },
  ];
  const now = [
    { line: 'trees', points: 5 },
    { line: 'rocks', points: -4 },
    { line: 'empty', points: -16 },
    { line: 'gold', points: 3 },
  ];
  expect(lineGains(before, now)).toEqual([
    { line: 'empty', points: 4 },
    { line: 'gold', points: 3 },
    { line: 'trees', points: -1 },
  ]);
});
