import type { TableInfo } from '../wire/server';

export interface Stop {
  episode: number;
  state: 'done' | 'now' | 'next';
}

/** The episodes of a campaign in their order: what is played, what is played now, and what is to come. */
export function stopsOf({ plan, match }: Pick<TableInfo, 'plan' | 'match'>): Stop[] {
  const played = (match?.number ?? 0) + (match?.over ? 1 : 0);
  const now = match?.over ? -1 : played;
  return plan.map((episode, index) => ({ episode, state: index < played ? 'done' : index === now ? 'now' : 'next' }));
}
