import { BOARD_THINGS, thingNamer } from '../../lib/match/things';

/** The things at a table of Point City. */
export const THINGS = [
  ...BOARD_THINGS,
  'automa',
  'deck',
  'deck-left',
  'tier',
  'tokens',
  'token',
  'purse',
  'stock',
  'player',
  'score',
  'line',
  'total',
  'city',
  'building',
  'price',
  'left-over',
  'next',
  'take',
  'flip',
  'draw',
  'skip',
  'clear',
  'way',
  'pick',
  'line-up',
  'as-drawn',
] as const;

export const thing = thingNamer(THINGS);
