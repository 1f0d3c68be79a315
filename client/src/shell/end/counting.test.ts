import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CountingUp, PACE, stepsOf } from './counting.svelte';

const RESULT = {
  sheets: [
    [
      { line: 'trees', count: 3, points: 6 },
      { line: 'rocks', count: 1, points: -2 },
    ],
    [
      { line: 'trees', count: 1, points: 2 },
      { line: 'gold', count: 0, points: 0 },
    ],
  ],
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('each line is a step with growing totals', () => {
  expect(stepsOf(RESULT)).toEqual([
    { line: 'trees', points: [6, 2], totals: [6, 2] },
    { line: 'rocks', points: [-2, null], totals: [4, 2] },
    { line: 'gold', points: [null, 0], totals: [4, 2] },
  ]);
});

test('shows the lines one by one, then the totals, and ends', () => {
  const done = vi.fn();
  const counting = new CountingUp(RESULT, done);
  expect([counting.line, counting.totals, [...counting.lines]]).toEqual([null, [0, 0], []]);
  vi.advanceTimersByTime(PACE.before);
  expect([counting.line, counting.totals]).toEqual(['trees', [6, 2]]);
  vi.advanceTimersByTime(PACE.line);
  expect([counting.line, counting.totals, [...counting.lines]]).toEqual(['rocks', [4, 2], ['trees', 'rocks']]);
  vi.advanceTimersByTime(PACE.line);
  expect(counting.line).toBe('gold');
  vi.advanceTimersByTime(PACE.nothing);
  expect([counting.line, counting.summed, counting.totals]).toEqual([null, true, [4, 2]]);
  expect(done).not.toHaveBeenCalled();
  vi.advanceTimersByTime(PACE.after);
  expect(done).toHaveBeenCalledOnce();
});

test('skipping shows the result at once, and only once', () => {
  const done = vi.fn();
  const counting = new CountingUp(RESULT, done);
  vi.advanceTimersByTime(PACE.before);
  counting.skip();
  vi.runAllTimers();
  expect(done).toHaveBeenCalledOnce();
});

test('counts a sheet without lines', () => {
  const done = vi.fn();
  new CountingUp({ sheets: [[]] }, done);
  vi.runAllTimers();
  expect(done).toHaveBeenCalledOnce();
});
