import type { Action, Event, View } from '../../wire/rollwrite';
import type { Moment, Moments } from '../types';
import { groundAt, type Ground } from './sheet';

type Now = Moment<View, Event, Action>;

/** So many rolls, and the sheet begins to fill. */
const HALF = 9;

/** What guides to Roll & Write may wait for. */
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

/** What this seat has just built over. */
function covered({ view: { table }, seat, events }: Now): readonly Ground[] {
  return events.flatMap((event) =>
    event.type === 'built' && event.seat === seat ? event.cells.map((cell) => groundAt(table, cell)) : [],
  );
}
