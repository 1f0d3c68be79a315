import type { Action, Event, View } from '../../wire/rollwrite';
import type { Moment, Moments } from '../types';
import { groundAt, type Ground } from './sheet/sheet';

type Now = Moment<View, Event, Action>;

/** Number of rolls after which a sheet is half full. */
const HALF = 9;

/** The conditions for guides to Roll & Write. */
export default {
  'one-die': ({ view: { table } }: Now) =>
    table.roll !== null &&
    (table.roll.faces[1] === 'blank' || (table.roll.faces[1] === 'compass' && !table.roll.compass)),
  'covered-rocks': (now: Now) => covered(now).includes('rocks'),
  'covered-trees': (now: Now) => covered(now).includes('trees'),
  'half-time': ({ view: { table } }: Now) => table.rolls >= HALF,
  'no-place': ({ choices }: Now) =>
    choices.length > 0 && choices.every(({ type }) => type === 'pass' || type === 'stop'),
} satisfies Moments;

/** Returns the grounds that this seat has just built over. */
function covered({ view: { table }, seat, events }: Now): readonly Ground[] {
  return events.flatMap((event) =>
    event.type === 'built' && event.seat === seat ? event.cells.map((cell) => groundAt(table, cell)) : [],
  );
}
