import type { TableInfo } from '../../wire/server';

export interface EpisodeStop {
  episode: number;
  state: 'done' | 'now' | 'next';
}

/** Returns the episodes of a campaign in order, each done, current or next. */
export function episodeStops({ plan, match, matches }: Pick<TableInfo, 'plan' | 'match' | 'matches'>): EpisodeStop[] {
  const done = match?.over === true && !match.ended;
  const played = Math.max(0, done ? matches : matches - 1);
  const now = done ? -1 : played;
  return plan.map((episode, index) => ({ episode, state: index < played ? 'done' : index === now ? 'now' : 'next' }));
}
