import { beforeAll, describe, expect, it } from 'vitest';
import { speak } from '../../i18n/index.svelte';
import { isTimeUp, timeLeftAt, durationText } from './time.svelte';

beforeAll(() => speak('en'));

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('the remaining time', () => {
  it('decreases while the clock runs, down to 0', () => {
    expect(timeLeftAt({ left: 5_000, runs: true }, 1_000, 3_000)).toBe(3_000);
    expect(timeLeftAt({ left: 5_000, runs: true }, 1_000, 9_000)).toBe(0);
    expect(timeLeftAt({ left: 5_000, runs: false }, 1_000, 9_000)).toBe(5_000);
  });

  it('is up only for a seat that has to decide', () => {
    expect(isTimeUp({ left: 0, deadline: 7 })).toBe(true);
    expect(isTimeUp({ left: 0, deadline: null })).toBe(false);
    expect(isTimeUp({ left: 1, deadline: 7 })).toBe(false);
  });
});

describe('a duration', () => {
  it.each([
    [76 * HOUR, '3 days'],
    [48 * HOUR - 1, '2 days'],
    [30 * HOUR, '30 hr'],
    [1.5 * HOUR - 1, '90 min'],
    [12 * MINUTE - 1, '12 min'],
    [5 * MINUTE, '5:00'],
    [61_000, '1:01'],
    [400, '0:01'],
    [0, '0:00'],
  ])('%i is %s', (time, words) => expect(durationText(time)).toBe(words));

  it('is announced without seconds', () => expect(durationText(61_000, 'long')).toBe('2 minutes'));
});
