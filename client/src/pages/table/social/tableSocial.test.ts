import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '../../../net/backend';
import type { ChatHistory, ChatMessageView } from '../../../wire/server';
import { TableSocial, REACTION_MILLISECONDS } from './tableSocial.svelte';

const remark = (id: string, more: Partial<ChatMessageView> = {}): ChatMessageView => ({
  id,
  seat: 1,
  name: 'Ben',
  text: `text ${id}`,
  time: Number(id),
  yours: false,
  ...more,
});

const quiet: ChatHistory = { remarks: [], ignored: [], muted: false };

function company(
  answers: { talk?: () => Promise<ChatHistory>; say?: () => Promise<ChatMessageView> } = {},
): TableSocial {
  const net = {
    talk: () => Promise.resolve(quiet),
    say: () => Promise.resolve(remark('9', { yours: true })),
    ...answers,
  };
  return new TableSocial({ id: 't', name: () => 'Ben', yours: () => [0] }, net as never);
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.useRealTimers();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

describe('messages of others', () => {
  it('are new until they were shown, also on the next visit', async () => {
    const talk = () => Promise.resolve({ ...quiet, remarks: [remark('1'), remark('2', { yours: true })] });
    const here = company({ talk });
    await here.load();
    here.hear({ type: 'said', remark: remark('3') });
    here.hear({ type: 'said', remark: remark('3') });
    expect(here.remarks.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(here.unread).toBe(2);
    here.show(true);
    expect(here.unread).toBe(0);
    here.hear({ type: 'said', remark: remark('4') });
    here.show(false);
    const again = company({ talk });
    await again.load();
    expect(again.unread).toBe(0);
  });

  it('are not new if their author is ignored', () => {
    const here = company();
    here.hear({ type: 'said', remark: remark('5', { ignored: true, text: '' }) });
    expect(here.unread).toBe(0);
  });

  it('appear once, though they arrive in the response and as an event', async () => {
    const here = company();
    expect(await here.say('Hello')).toBe(true);
    here.hear({ type: 'said', remark: remark('9', { yours: true }) });
    expect(here.remarks).toHaveLength(1);
  });

  it('report the waiting time of the rate limit, and that the guest was muted', async () => {
    const fast = company({ say: () => Promise.reject(new ApiError(429, 'too much', 12)) });
    expect(await fast.say('Hello')).toBe(false);
    expect(fast.problem).toContain('12');
    const muted = company({
      say: () => Promise.reject(new ApiError(403, 'muted')),
      talk: () => Promise.resolve({ ...quiet, muted: true }),
    });
    await muted.say('Hello');
    expect([muted.muted, muted.problem]).toEqual([true, '']);
  });
});

describe('reactions', () => {
  it('are shown for a while, one for each seat', () => {
    vi.useFakeTimers();
    const here = company();
    here.hear({ type: 'reacted', seat: 1, reaction: 'wave' });
    vi.advanceTimersByTime(REACTION_MILLISECONDS - 1);
    here.hear({ type: 'reacted', seat: 1, reaction: 'sorry' });
    here.hear({ type: 'reacted', seat: 0, reaction: 'wave' });
    vi.advanceTimersByTime(1);
    expect(here.signs.map(({ seat, reaction }) => [seat, reaction])).toEqual([
      [1, 'sorry'],
      [0, 'wave'],
    ]);
    vi.advanceTimersByTime(REACTION_MILLISECONDS);
    expect(here.signs).toEqual([]);
  });
});
