import { describe, expect, it } from 'vitest';
import { returned, revealed, nextSeat, NO_SEAT, type HotSeat } from './hotSeat';

const at = (seat: number | null, passTo: number | null = null): HotSeat => ({ seat, passTo });

describe('a single seat at a screen', () => {
  it('stays, due or not', () => {
    expect(nextSeat(NO_SEAT, [1], [1])).toEqual(at(1));
    expect(nextSeat(at(1), [1], [])).toEqual(at(1));
    expect(nextSeat(at(1), [1], [1])).toEqual(at(1));
  });

  it('is cleared when the seat is given up', () => expect(nextSeat(at(1), [], [])).toEqual(NO_SEAT));
});

describe('several seats at a screen', () => {
  it('begin with the first due seat, without a curtain', () => expect(nextSeat(NO_SEAT, [0, 2], [2])).toEqual(at(2)));

  it('pass the screen on after a decision', () => {
    expect(nextSeat(at(0), [0, 1], [0, 1])).toEqual(at(0));
    expect(nextSeat(at(0), [0, 1], [1], [0])).toEqual(at(0, 1));
  });

  it('go around the table', () => {
    expect(nextSeat(at(1), [0, 1, 3], [0, 3], [1])).toEqual(at(1, 3));
    expect(nextSeat(at(3), [0, 1, 3], [0, 1], [3])).toEqual(at(3, 0));
  });

  it('keep the curtain until it is opened', () => {
    const up = at(0, 1);
    expect(nextSeat(up, [0, 1], [1], [0])).toBe(up);
    expect(revealed(up)).toEqual(at(1));
    expect(nextSeat(revealed(up), [0, 1], [1], [0])).toEqual(at(1));
  });

  it('let the seat that closed the round begin the next one', () =>
    expect(nextSeat(at(1), [0, 1], [0, 1])).toEqual(at(1)));

  it('skip a stopped seat', () => expect(nextSeat(at(0), [0, 1, 2], [2], [0])).toEqual(at(0, 2)));

  it('drop the curtain when the awaited seat is no longer due', () => {
    expect(nextSeat(at(0, 1), [0, 1], [])).toEqual(at(0));
    expect(nextSeat(at(0, 1), [0, 2], [2], [0])).toEqual(at(0, 2));
  });

  it('return the screen to the previous player', () => {
    expect(returned(at(0, 1))).toEqual(at(0));
    expect(nextSeat(at(0), [0, 1], [0, 1])).toEqual(at(0));
    expect(nextSeat(at(0, 1), [0, 1], [0, 1])).toEqual(at(0));
  });

  it('need no curtain if nothing is hidden', () => {
    expect(nextSeat(at(0), [0, 1], [1])).toEqual(at(1));
    expect(nextSeat(at(0, 1), [0, 1], [1])).toEqual(at(1));
    expect(nextSeat(at(1), [0, 1, 2], [2], [0])).toEqual(at(2));
  });

  it('stay if no seat is due', () => expect(nextSeat(at(0), [0, 1], [])).toEqual(at(0)));

  it('switch the seat when the current one is given up', () => expect(nextSeat(at(0), [1, 2], [1, 2])).toEqual(at(1)));
});
