import { openBook } from '../../i18n/books.svelte';
import { profiles } from '../../net/api/profiles';
import type { SeatRating } from '../../wire/accounts';
import type { TableInfo } from '../../wire/server';

let asked = '';
let found = $state.raw<readonly SeatRating[]>([]);

/** Loads the ratings of the players at a table. Repeated when the players change and when a match is over. */
export async function loadRatings({ table, seats, match }: TableInfo): Promise<void> {
  const key = JSON.stringify([
    table,
    seats.map(({ name, kind, bot }) => [name, kind, bot]),
    match?.number,
    match?.over,
  ]);
  if (key === asked) return;
  asked = key;
  found = [];
  const [ratings] = await Promise.all([profiles.ratingsAt(table).catch(() => ({ seats: [] })), openBook('rated')]);
  if (key === asked) found = ratings.seats;
}

export function ratingAt(seat: number): SeatRating | undefined {
  return found.find((rating) => rating.seat === seat);
}
