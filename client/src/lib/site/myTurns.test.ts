import { describe, expect, it } from 'vitest';
import { match, person, table } from '../../net/table/fakeServer';
import { titleWithCount, ownDeadline, waitingTablesIn } from './myTurns.svelte';

const seated = (id: string, changed: number, more: object = {}) => ({
  ...table({ table: id, changed, yours: [0], due: [0], match: match(), seats: [person(0), person(1)] }),
  ...more,
});
const until = (time: number) => ({ seats: [{ ...person(0), deadline: time }, person(1)] });

describe('waiting tables', () => {
  it('are sorted by deadline, then by waiting time', () => {
    const tables = [
      seated('late', 5, until(9_000)),
      seated('new', 7),
      seated('old', 3),
      seated('soon', 9, until(2_000)),
      seated('others', 1, { due: [1] }),
      seated('bot', 1, { seats: [{ ...person(0), bot: 'greedy' }, person(1)] }),
      seated('over', 1, { match: { ...match(), over: true } }),
    ];
    expect(waitingTablesIn(tables).map(({ table: id }) => id)).toEqual(['soon', 'late', 'old', 'new']);
  });

  it('include requests for consent, even if a bot stands in', () => {
    const over = { match: { ...match(), over: true } };
    const played = { due: [1], seats: [{ ...person(0), bot: 'greedy' }, person(1)] };
    const tables = [
      seated('again', 1, { ...over, asked: [0] }),
      seated('asks', 2, { ...over, asked: [1] }),
      seated('pace', 3, { due: [1], asked: [0] }),
      seated('played', 4, { ...played, asked: [0] }),
    ];
    expect(waitingTablesIn(tables).map(({ table: id }) => id)).toEqual(['again', 'pace', 'played']);
  });

  it('have the soonest deadline of the own seats', () => {
    const both = {
      yours: [0, 1],
      due: [0, 1],
      seats: [
        { ...person(0), deadline: 9 },
        { ...person(1), deadline: 4 },
      ],
    };
    expect(ownDeadline(seated('x', 1, both))).toBe(4);
    expect(ownDeadline(seated('x', 1))).toBeNull();
  });

  it('are counted in the title', () => {
    expect(titleWithCount('Home', 0)).toBe('Home');
    expect(titleWithCount('Home', 3)).toBe('(3) Home');
  });
});
