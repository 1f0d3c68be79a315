import { BOARD_THINGS, thingNamer } from '../../lib/match/things';

/** The things at the tables of all placing games. */
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
