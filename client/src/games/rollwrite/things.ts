import { namer } from '../../lib/things';
import { BUILDING_THINGS } from '../building/things';

/** What only a table of Roll & Write has. */
export const ROLLWRITE_THINGS = ['dice', 'die', 'chances', 'compass', 'circles', 'race', 'purses'] as const;

export const THINGS = [...BUILDING_THINGS, ...ROLLWRITE_THINGS] as const;
export const thing = namer(THINGS);
