import type { GameMode } from '../../games/types';
import type { CreateTable, Pace } from '../../wire/server';
import { NAMELESS } from '../text/displayNames';

export type SeatKind = 'me' | 'friend' | 'bot';

/** One row of the set-up sheet. */
export interface SeatRow {
  readonly key: number;
  kind: SeatKind;
  name: string;
  bot: string;
}

export interface TableOptions {
  readonly seats: readonly SeatRow[];
  readonly seed: string;
  /** The luck is typed in by the people around real dice or cards. */
  readonly typed: boolean;
  /** Absent: without clocks. */
  readonly pace?: Pace;
  readonly rated?: boolean;
  /** The language in which everybody is invited; null: only whoever has the link. */
  readonly invites?: string | null;
  /** False: nobody may write at the table. */
  readonly talk?: boolean;
  /** Outside bots may sit down. */
  readonly outsiders?: boolean;
}

/** What the sheet asks of the server. */
export function createTableRequest(
  game: string,
  mode: GameMode,
  { seats, seed, typed, pace, rated, invites, talk, outsiders }: TableOptions,
): CreateTable {
  return {
    game,
    setup: { ...mode.setup },
    seats: seats.map((seat) => {
      if (seat.kind === 'bot') return { type: 'bot', bot: seat.bot };
      return seat.kind === 'me' ? { type: 'me', name: seat.name.trim() || NAMELESS } : { type: 'open' };
    }),
    seed: typed ? null : seed.trim() || null,
    ...(mode.plan && { plan: mode.plan }),
    ...(typed && { luck: 'typed' as const }),
    ...(rated && { rated }),
    ...(pace && pace.type !== 'unhurried' && { pace }),
    ...(invites && { invites }),
    ...(talk === false && { talk }),
    ...(outsiders && { outsiders }),
  };
}

/** Whether a mode is for so many seats. */
export function fitsSeats(mode: GameMode, seats: number): boolean {
  return mode.seats?.includes(seats) ?? true;
}
