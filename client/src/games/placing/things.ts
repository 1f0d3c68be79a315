import { BOARD_THINGS, thingNamer } from '../../lib/match/things';

/** What is there at the tables of all games in which buildings are placed. */
export const PLACING_THINGS = [
  ...BOARD_THINGS,
  'piece',
  'turn',
  'mirror',
  'pass',
  'stop',
  'build',
  'decline',
  'take-back-decision',
  'player',
  'score',
  'line',
  'total',
] as const;

export const thing = thingNamer(PLACING_THINGS);
