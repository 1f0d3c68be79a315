import { thingNamer } from '../../lib/match/things';
import { PLACING_THINGS } from '../placing/things';

/** What only a table of My City has. */
export const MYCITY_THINGS = [
  'card',
  'blocked',
  'deck',
  'coming',
  'block',
  'race',
  'marker',
  'episode',
  'rank',
  'shaft',
  'circles',
  'nuggets',
  'arms',
  'rewards',
  'gear',
] as const;

export const THINGS = [...PLACING_THINGS, ...MYCITY_THINGS] as const;
export const thing = thingNamer(THINGS);
