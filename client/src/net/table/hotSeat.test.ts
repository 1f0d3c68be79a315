import { describe, expect, it } from 'vitest';
import { returned, revealed, nextSeat, NO_SEAT, type HotSeat } from './hotSeat';

const at = (seat: number | null, passTo: number | null = null): HotSeat => ({ seat, passTo });

describe('one seat at a screen', () => {
  it('stays there, due or not', () => {
    expect(nextSeat(NO_SEAT, [1], [1])).toEqual(at(1));
    expect(nextSeat(at(1), [1], [])).toEqual(at(1));
    expect(nextSeat(at(1), [1], [1])).toEqual(at(1));
  });

  it('is left when the seat is given up', () => expect(nextSeat(at(1), [], [])).toEqual(NO_SEAT));
});

describe('several seats at a screen', () => {
  it('begins with the first who is due, without a curtain', () =>
    expect(nextSeat(NO_SEAT, [0, 2], [2])).toEqual(at(2)));

  it('passes the screen on when a seat has decided', () => {
    expect(nextSeat(at(0), [0, 1], [0, 1])).toEqual(at(0));
    expect(nextSeat(at(0), [0, 1], [1], [0])).toEqual(at(0, 1));
  });

  it('goes around the table', () => {
    expect(nextSeat(at(1), [0, 1, 3], [0, 3], [1])).toEqual(at(1, 3));
    expect(nextSeat(at(3), [0, 1, 3], [0, 1], [3])).toEqual(at(3, 0));
  });

  it('keeps the curtain until somebody lifts it', () => {
    const up = at(0, 1);
    expect(nextSeat(up, [0, 1], [1], [0])).toBe(up);
    expect(revealed(up)).toEqual(at(1));
    expect(nextSeat(revealed(up), [0, 1], [1], [0])).toEqual(at(1));
  });

  it('lets whoever closed the round begin the next one', () => expect(nextSeat(at(1), [0, 1], [0, 1])).toEqual(at(1)));

  it('passes over a seat that has stopped', () => expect(nextSeat(at(0), [0, 1, 2], [2], [0])).toEqual(at(0, 2)));

  it('takes the curtain away when the awaited seat is no longer due', () => {
    expect(nextSeat(at(0, 1), [0, 1], [])).toEqual(at(0));
    expect(nextSeat(at(0, 1), [0, 2], [2], [0])).toEqual(at(0, 2));
  });

  it('gives the screen back to one who thinks again', () => {
    expect(returned(at(0, 1))).toEqual(at(0));
    expect(nextSeat(at(0), [0, 1], [0, 1])).toEqual(at(0));
    expect(nextSeat(at(0, 1), [0, 1], [0, 1])).toEqual(at(0));
  });

  it('draws no curtain where nothing is hidden', () => {
    expect(nextSeat(at(0), [0, 1], [1])).toEqual(at(1));
    expect(nextSeat(at(0, 1), [0, 1], [1])).toEqual(at(1));
    expect(nextSeat(at(1), [0, 1, 2], [2], [0])).toEqual(at(2));
  });

  it('asks nobody when nobody is due', () => expect(nextSeat(at(0), [0, 1], [])).toEqual(at(0)));

  it('turns to another seat when the current one is given up', () =>
    expect(nextSeat(at(0), [1, 2], [1, 2])).toEqual(at(1)));
});
