import type { Setup } from '../../../wire/mycity';

/** The episode that a setup is about; null in the eternal game. */
export function episodeOf(setup: unknown): number | null {
  return (setup as Setup).episode ?? null;
}
