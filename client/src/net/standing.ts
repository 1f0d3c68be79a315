import type { SeatInfo } from '../wire/server';
import type { Line } from '../wire/server';
import type { SeatStatus } from '../games/types';

/** What the view of every game says in the same words. */
export interface Standing {
  readonly acting: readonly number[];
  readonly over: boolean;
  /** In games where one may stop before the others. */
  readonly cities?: readonly { readonly stopped?: boolean }[];
  readonly result: {
    readonly scores: readonly number[];
    readonly ranks: readonly number[];
    readonly sheets: readonly (readonly Line[])[];
  };
}

export function standing(view: unknown): Standing {
  return (view as { table: Standing }).table;
}

export function statuses(view: unknown, seats: readonly SeatInfo[], decided: readonly number[]): SeatStatus[] {
  const { acting, over, cities } = standing(view);
  return seats.map(({ seat, online, kind }) => {
    if (over) return 'done';
    if (!acting.includes(seat)) return cities?.[seat]?.stopped ? 'stopped' : 'waiting';
    if (decided.includes(seat)) return 'ready';
    return online && kind !== 'open' ? 'thinking' : 'away';
  });
}

/** The seats of this screen that have to decide. */
export function dueSeats(view: unknown, own: readonly number[], decided: readonly number[]): number[] {
  const { acting, over } = standing(view);
  return over ? [] : own.filter((seat) => acting.includes(seat) && !decided.includes(seat));
}
