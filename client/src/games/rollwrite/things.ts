import { thingNamer } from '../../lib/match/things';
import { PLACING_THINGS } from '../placing/things';

/** Things that exist only at tables of Roll & Write. */
export const ROLLWRITE_THINGS = ['dice', 'die', 'chances', 'compass', 'circles', 'race', 'purses'] as const;

export const THINGS = [...PLACING_THINGS, ...ROLLWRITE_THINGS] as const;
export const thing = thingNamer(THINGS);
