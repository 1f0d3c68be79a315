import type { SeatStatus } from '../../games/types';
import type { Scene, SeatInfo } from '../../wire/server';

/** Returns the status of each seat. `stopped` tells whether a seat has finished before the others. */
export function seatStatuses(
  { match, due, decided }: Pick<Scene, 'match' | 'due' | 'decided'>,
  seats: readonly SeatInfo[],
  stopped: (seat: number) => boolean,
): SeatStatus[] {
  return seats.map(({ seat, online, kind }) => {
    if (match.over) return 'done';
    if (due.includes(seat)) return online && kind !== 'open' ? 'thinking' : 'away';
    if (decided.includes(seat)) return 'ready';
    return stopped(seat) ? 'stopped' : 'waiting';
  });
}
