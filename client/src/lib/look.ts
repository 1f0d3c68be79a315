import type { GameScreenProps } from '../games/types';

/** What a screen gets where nobody plays on it: in a replay, and when a match is over. */
export const LOOKING_ON = {
  seat: null,
  choices: [],
  barred: [],
  staged: null,
  act: () => undefined,
  retract: () => undefined,
  why: () => Promise.resolve(null),
  preview: () => Promise.resolve({ changes: [], events: [], view: null }),
} as const satisfies Partial<GameScreenProps>;
