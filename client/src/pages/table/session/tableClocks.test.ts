import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openBook } from '../../../i18n/books.svelte';
import { speak } from '../../../i18n/index.svelte';
import { announce, announcement } from '../../../lib/page/announcer.svelte';
import { table } from '../../../net/table/fakeServer';
import type { SeatClock } from '../../../wire/server';
import { TableClocks } from './tableClocks.svelte';
import type { TableView } from './tableView.svelte';

beforeAll(async () => {
  await speak('en');
  await openBook('time');
});

beforeEach(() => {
  vi.useFakeTimers();
  announce('nothing yet');
});

const clock = (seat: number, more: Partial<SeatClock> = {}): SeatClock => ({
  seat,
  left: 300_000,
  runs: true,
  deadline: 1,
  rests: null,
  ...more,
});

async function said(...seats: readonly SeatClock[]): Promise<TableClocks> {
  const live = { state: { time: { now: 0, heard: 0, seats } } };
  const timing = new TableClocks({ live, table: table(), names: ['Ada', 'Ben'], seat: 0 } as unknown as TableView);
  await timing.follow();
  return timing;
}

describe('the clocks of a table', () => {
  it('announce once to the player that a minute is left', async () => {
    await said(clock(0), clock(1, { left: 70_000 }));
    vi.advanceTimersByTime(239_000);
    expect(announcement()).toBe('nothing yet');
    vi.advanceTimersByTime(2_000);
    expect(announcement()).toBe('You have one minute left.');
  });

  it('announce the player whose time is up', async () => {
    const timing = await said(clock(0), clock(1, { left: 0, runs: true }));
    expect(announcement()).toBe('Ben: time is up');
    expect([timing.lateOthers, timing.lateOwn]).toEqual([[1], false]);
    announce('something else');
    await timing.follow();
    expect(announcement()).toBe('something else');
  });

  it('show the own clock, or the running one', async () => {
    expect((await said(clock(1), clock(0, { runs: false }))).shown?.seat).toBe(0);
    expect((await said(clock(1))).shown?.seat).toBe(1);
  });
});
