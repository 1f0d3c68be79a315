import type { RungInfo } from '../../wire/accounts';

/** Returns the bot of the ladder that is nearest to a rating. */
export function nearestBot(rungs: readonly RungInfo[], rating: number): RungInfo | undefined {
  const away = (rung: RungInfo): number => Math.abs(rung.rating - rating);
  return [...rungs].sort((first, second) => away(first) - away(second))[0];
}
