import { thingNamer } from '../../lib/match/things';
import { PLACING_THINGS } from '../placing/things';

/** Things that exist only at tables of My City. */
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
