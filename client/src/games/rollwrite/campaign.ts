import type { GameMode } from '../types';

const EPISODES = 12;
const CHAPTER = 3;

/** The number of the chapter that an episode belongs to. */
export function chapterOf(episode: number): 1 | 2 | 3 | 4 {
  return Math.min(4, Math.max(1, Math.ceil(episode / CHAPTER))) as 1 | 2 | 3 | 4;
}

function from(first: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}

function campaign(group: string, plan: readonly number[]): GameMode {
  return { setup: { episode: plan[0] }, plan, group };
}

/** Single episodes, chapters, the whole campaign, and the short one over three chapters. */
export const modes: readonly GameMode[] = [
  ...from(1, EPISODES).map((episode): GameMode => ({ setup: { episode }, group: 'episode' })),
  ...[1, 4, 7, 10].map((first) => campaign('chapter', from(first, CHAPTER))),
  campaign('campaign', from(1, EPISODES)),
  campaign('campaign', [3, 6, 12]),
];
