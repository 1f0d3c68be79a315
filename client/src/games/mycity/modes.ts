import type { GameMode } from '../types';
import { CHAPTERS, EPISODES } from './chapters/index.svelte';

function from(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

/** Episodes in a row, with what they leave on the boards. */
function inARow(group: string, plan: readonly number[]): GameMode {
  return { setup: { mode: 'episode', episode: plan[0], play: 'campaign' }, plan, group };
}

/** The eternal game, the whole campaign, its chapters, and its episodes one at a time. */
export const modes: readonly GameMode[] = [
  { setup: { mode: 'eternal' }, group: 'eternal' },
  inARow('campaign', from(1, CHAPTERS * EPISODES)),
  ...from(1, CHAPTERS).map((chapter) => inARow('chapter', from((chapter - 1) * EPISODES + 1, EPISODES))),
  ...from(1, CHAPTERS * EPISODES).map((episode): GameMode => ({
    setup: { mode: 'episode', episode },
    group: 'episode',
  })),
];
