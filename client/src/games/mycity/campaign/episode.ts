import type { Setup } from '../../../wire/mycity';

/** Returns the episode of a setup; null for the eternal game. */
export function episodeOf(setup: unknown): number | null {
  return (setup as Setup).episode ?? null;
}
