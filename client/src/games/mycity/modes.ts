import type { GameMode } from '../types';

const EPISODES = Array.from({ length: 24 }, (_, i) => i + 1);

/** The eternal game, the whole campaign, and its episodes one at a time. */
export const modes: readonly GameMode[] = [
  { setup: { mode: 'eternal' }, group: 'eternal' },
  { setup: { mode: 'episode', episode: 1, play: 'campaign' }, plan: EPISODES, group: 'campaign' },
  ...EPISODES.map((episode): GameMode => ({ setup: { mode: 'episode', episode }, group: 'episode' })),
];
