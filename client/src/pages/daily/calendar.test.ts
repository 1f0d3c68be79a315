import { describe, expect, it } from 'vitest';
import { dayAfter, hoursOf, monthAfter, monthOf, weeksOf } from './calendar';

describe('a month of the calendar', () => {
  it('has weeks that begin on Monday', () => {
    const weeks = weeksOf('2026-11'); // the first is a Sunday
    expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
    expect(weeks[1]?.[0]).toBe('2026-11-02');
    expect(weeks.at(-1)).toEqual(['2026-11-30', null, null, null, null, null, null]);
    expect(weeksOf('2027-02').flat()).toEqual(Array.from({ length: 28 }, (_, day) => dayAfter('2027-02-01', day)));
  });

  it('follows the previous month', () => {
    expect(monthAfter('2026-12', 1)).toBe('2027-01');
    expect(monthAfter('2026-01', -1)).toBe('2025-12');
    expect(monthOf(dayAfter('2028-02-28', 1))).toBe('2028-02');
    expect(dayAfter('2026-03-01', -1)).toBe('2026-02-28');
  });
});

it('rounds the last minute up', () => {
  expect(hoursOf(3_600_000 * 5 + 60_000 * 12)).toEqual({ hours: 5, minutes: 12 });
  expect(hoursOf(59_999)).toEqual({ hours: 0, minutes: 1 });
  expect(hoursOf(-5)).toEqual({ hours: 0, minutes: 1 });
});
