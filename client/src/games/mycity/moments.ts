import type { Ground } from '../../board/pictures/terrain';
import type { Action, Event, View } from '../../wire/mycity';
import type { Moment, Moments } from '../types';
import { groundAt, cityLayoutOf } from './board/cityLayout';

type Now = Moment<View, Event, Action>;

/** Number of remaining cards at which the guide speaks of the end. */
const LATE = 7;

/** The conditions for guides to My City. */
export default {
  'church-card': ({ view: { table } }: Now) => table.laid?.kind === 'church',
  'church-touched': ({ view: { table }, seat }: Now) =>
    (table.result.sheets[seat]?.find(({ line }) => line === 'churches')?.points ?? 0) > 0,
  blocked: ({ events }: Now) => events.some(({ type }) => type === 'forbidden'),
  'covered-rocks': (now: Now) => covered(now).includes('rocks'),
  'covered-trees': (now: Now) => covered(now).includes('trees'),
  'some-built': ({ view: { table }, seat }: Now) => (table.cities[seat]?.buildings.length ?? 0) > 3,
  'half-time': ({ view: { table } }: Now) => table.revealed.length >= table.remaining.length,
  late: ({ view: { table } }: Now) => table.remaining.length < LATE,
  'no-place': ({ choices }: Now) =>
    choices.length > 0 && choices.every(({ type }) => type === 'pass' || type === 'stop'),
  cleared: ({ view: { table } }: Now) => table.cleared,
} satisfies Moments;

/** Returns the grounds that this seat has just built over. */
function covered({ view: { table }, seat, events }: Now): readonly Ground[] {
  const { terrain } = cityLayoutOf(table, seat);
  return events.flatMap((event) =>
    event.type === 'built' && event.seat === seat ? event.cells.map((cell) => groundAt(terrain, cell)) : [],
  );
}
