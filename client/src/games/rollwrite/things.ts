import { namer } from '../../lib/match/things';
import { BUILDING_THINGS } from '../placing/things';

/** What only a table of Roll & Write has. */
export const ROLLWRITE_THINGS = ['dice', 'die', 'chances', 'compass', 'circles', 'race', 'purses'] as const;

export const THINGS = [...BUILDING_THINGS, ...ROLLWRITE_THINGS] as const;
export const thing = namer(THINGS);
