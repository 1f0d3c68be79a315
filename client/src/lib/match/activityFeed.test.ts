import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SHOWN_MILLISECONDS, ActivityFeed } from './activityFeed.svelte';

const ADA = { seat: 1, text: 'Ada built the Playground.' };
const BEN = { seat: 2, text: 'Ben took two cards.' };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('shows one line after the other, each long enough to be read', () => {
  const feed = new ActivityFeed();
  feed.add(ADA, BEN);
  expect(feed.now).toBe(ADA);
  vi.advanceTimersByTime(SHOWN_MILLISECONDS.atLeast - 1);
  expect(feed.now).toBe(ADA);
  vi.advanceTimersByTime(1);
  expect(feed.now).toBe(BEN);
  vi.advanceTimersByTime(SHOWN_MILLISECONDS.last);
  expect(feed.now).toBeNull();
});

test('shows the next action of the same seat at once', () => {
  const feed = new ActivityFeed();
  feed.add({ ...ADA, text: 'Ada took two cards.' });
  feed.add(ADA);
  expect(feed.now).toBe(ADA);
});

test('queues a line while another is shown', () => {
  const feed = new ActivityFeed();
  feed.add(ADA);
  vi.advanceTimersByTime(1000);
  feed.add(BEN);
  expect(feed.now).toBe(ADA);
  vi.advanceTimersByTime(SHOWN_MILLISECONDS.atLeast - 1000);
  expect(feed.now).toBe(BEN);
  feed.clear();
  expect(feed.now).toBeNull();
});
