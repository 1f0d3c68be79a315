import type { GameMode } from '../../games/types';
import type { CreateTable, Pace } from '../../wire/server';
import { NAMELESS } from '../text/displayNames';

export type SeatKind = 'me' | 'friend' | 'bot';

/** A seat in the set-up form. */
export interface SeatRow {
  readonly key: number;
  kind: SeatKind;
  name: string;
  bot: string;
}

export interface TableOptions {
  readonly seats: readonly SeatRow[];
  readonly seed: string;
  /** Players enter the results of real dice or cards. */
  readonly typed: boolean;
  /** Absent: no clocks. */
  readonly pace?: Pace;
  readonly rated?: boolean;
  /** The language of a public invitation; null: only by link. */
  readonly invites?: string | null;
  /** False: no chat. */
  readonly talk?: boolean;
  /** Outside bots may take a seat. */
  readonly outsiders?: boolean;
}

/** Returns the request that creates a table. */
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

/** Whether a mode allows this number of seats. */
export function fitsSeats(mode: GameMode, seats: number): boolean {
  return mode.seats?.includes(seats) ?? true;
}
