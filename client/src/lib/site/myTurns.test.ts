import { describe, expect, it } from 'vitest';
import { table } from '../../net/table/fakeServer';
import { titleWithCount, waitingTablesIn } from './myTurns.svelte';

const seated = (id: string, changed: number, more: object = {}) =>
  table({ table: id, changed, waiting: true, ...more });

describe('waiting tables', () => {
  it('are sorted by deadline, then by waiting time', () => {
    const tables = [
      seated('late', 5, { own_deadline: 9_000 }),
      seated('new', 7),
      seated('old', 3, { own_deadline: null }),
      seated('soon', 9, { own_deadline: 2_000 }),
      seated('others', 1, { waiting: false }),
    ];
    expect(waitingTablesIn(tables).map(({ table: id }) => id)).toEqual(['soon', 'late', 'old', 'new']);
  });

  it('are counted in the title', () => {
    expect(titleWithCount('Home', 0)).toBe('Home');
    expect(titleWithCount('Home', 3)).toBe('(3) Home');
  });
});
