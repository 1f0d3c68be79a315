import type { GameMode } from '../games/types';
import type { CreateTable } from '../wire/server';

export type SeatKind = 'me' | 'friend' | 'bot';

/** One row of the set-up sheet. */
export interface SeatWish {
  readonly key: number;
  kind: SeatKind;
  name: string;
  bot: string;
}

/** What the sheet asks of the server. */
export function wish(game: string, mode: GameMode, seats: readonly SeatWish[], seed: string): CreateTable {
  return {
    game,
    setup: { ...mode },
    seats: seats.map((seat) => {
      if (seat.kind === 'bot') return { type: 'bot', bot: seat.bot };
      return seat.kind === 'me' ? { type: 'me', name: seat.name.trim() } : { type: 'open' };
    }),
    seed: seed.trim() || null,
  };
}
