import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PendingQuestions } from './pendingQuestions';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('questions', () => {
  it('get their own answers', async () => {
    const asks = new PendingQuestions();
    const sent: number[] = [];
    const send = (ask: number): boolean => sent.push(ask) > 0;
    const first = asks.ask('why', 'none', send);
    vi.advanceTimersByTime(200);
    const second = asks.ask('preview', 'none', send);
    asks.answer(sent[1]!, 'two');
    asks.answer(sent[0]!, 'one');
    asks.answer(99, 'unknown');
    await expect(first).resolves.toBe('one');
    await expect(second).resolves.toBe('two');
  });

  it('of a moving pointer are sent for its last position only', async () => {
    const asks = new PendingQuestions();
    const sent: string[] = [];
    const ask = (what: string): Promise<string> => asks.ask('preview', 'dropped', () => sent.push(what) > 0);
    void ask('a');
    const b = ask('b');
    void ask('c');
    vi.advanceTimersByTime(200);
    expect(sent).toEqual(['a', 'c']);
    await expect(b).resolves.toBe('dropped');
  });

  it('of different kinds do not replace each other', () => {
    const asks = new PendingQuestions();
    const sent: string[] = [];
    for (const kind of ['why', 'preview', 'why']) void asks.ask(kind, null, () => sent.push(kind) > 0);
    vi.advanceTimersByTime(500);
    expect(sent).toEqual(['why', 'preview', 'why']);
  });

  it('time out', async () => {
    const asks = new PendingQuestions();
    const slow = asks.ask('why', 'none', () => true);
    vi.advanceTimersByTime(10_000);
    await expect(slow).resolves.toBe('none');
    const lost = asks.ask('why', 'none', () => true);
    const queued = asks.ask('why', 'none', () => true);
    asks.cancelAll();
    await expect(lost).resolves.toBe('none');
    await expect(queued).resolves.toBe('none');
    const closed = asks.ask('why', 'none', () => false);
    vi.advanceTimersByTime(200);
    await expect(closed).resolves.toBe('none');
  });
});
