import { beforeEach, describe, expect, it, vi } from 'vitest';
import { rememberSeen, lastSeen } from '../../../lib/site/lastSeen';
import { match, scene } from '../../../net/table/fakeServer';
import { MissedEvents } from './missedEvents.svelte';

const at = (moves: number, number = 0) => scene({ moves, match: { ...match(), number } });
let reduced: boolean;

beforeEach(() => {
  const kept = new Map<string, string>();
  reduced = false;
  vi.useFakeTimers();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
  vi.stubGlobal('matchMedia', () => ({ matches: reduced }));
});

describe('MissedEvents', () => {
  it('replays the events of the same match since the last visit on this device', () => {
    const first = new MissedEvents('t');
    first.arrived(at(4));
    expect(first.film).toBeNull();
    first.saw(at(6));
    const again = new MissedEvents('t');
    again.arrived(at(9));
    expect(again.film).toEqual({ match: 0, moves: 6 });
    again.done();
    expect(again.film).toBeNull();
    const third = new MissedEvents('t');
    third.arrived(at(9));
    expect(third.film).toBeNull();
    const another = new MissedEvents('t');
    another.arrived(at(12, 1));
    expect(another.film).toBeNull();
  });

  it('replays no events after a short loss of the connection, and all after a long one', () => {
    const missed = new MissedEvents('t');
    missed.arrived(at(4));
    vi.advanceTimersByTime(30_000);
    missed.arrived(at(6));
    expect(missed.film).toBeNull();
    vi.advanceTimersByTime(61_000);
    missed.arrived(at(8));
    expect(missed.film).toEqual({ match: 0, moves: 6 });
  });

  it('replays no events with reduced motion', () => {
    new MissedEvents('t').arrived(at(4));
    reduced = true;
    const again = new MissedEvents('t');
    again.arrived(at(9));
    expect(again.film).toBeNull();
    expect(lastSeen('t')).toEqual({ match: 0, moves: 9 });
  });

  it('remembers the most recent tables', () => {
    for (let table = 0; table < 90; table++) rememberSeen(`t${table}`, { match: 0, moves: table });
    expect(lastSeen('t9')).toBeNull();
    expect(lastSeen('t10')).toEqual({ match: 0, moves: 10 });
    expect(lastSeen('t89')).toEqual({ match: 0, moves: 89 });
  });
});
