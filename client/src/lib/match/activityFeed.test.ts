import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { STANDS, Telling } from './activityFeed.svelte';

const ADA = { seat: 1, text: 'Ada built the Playground.' };
const BEN = { seat: 2, text: 'Ben took two cards.' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('one line after the other, each long enough to be read', () => {
  const telling = new Telling();
  telling.tell(ADA, BEN);
  expect(telling.now).toBe(ADA);
  vi.advanceTimersByTime(STANDS.atLeast - 1);
  expect(telling.now).toBe(ADA);
  vi.advanceTimersByTime(1);
  expect(telling.now).toBe(BEN);
  vi.advanceTimersByTime(STANDS.last);
  expect(telling.now).toBeNull();
});

test('what the same one does next stands there at once', () => {
  const telling = new Telling();
  telling.tell({ ...ADA, text: 'Ada took two cards.' });
  telling.tell(ADA);
  expect(telling.now).toBe(ADA);
});

test('a line that comes while another stands waits for it', () => {
  const telling = new Telling();
  telling.tell(ADA);
  vi.advanceTimersByTime(1000);
  telling.tell(BEN);
  expect(telling.now).toBe(ADA);
  vi.advanceTimersByTime(STANDS.atLeast - 1000);
  expect(telling.now).toBe(BEN);
  telling.hush();
  expect(telling.now).toBeNull();
});
