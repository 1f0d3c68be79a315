import type { RungInfo } from '../../wire/accounts';

/** The bot of the ladder that is next to a rating. */
export function nearest(rungs: readonly RungInfo[], rating: number): RungInfo | undefined {
  return [...rungs].sort((one, other) => Math.abs(one.rating - rating) - Math.abs(other.rating - rating))[0];
}
