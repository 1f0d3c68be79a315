import type { Action, Event, View } from '../../wire/pointcity';
import type { Moment, Moments } from '../types';

type Now = Moment<View, Event, Action>;

/** Number of remaining turns at which the guide speaks of the end. */
const LATE = 5;

/** The conditions for guides to Point City. */
export default {
  'can-build': ({ view: { table }, choices }: Now) =>
    choices.some(
      (choice) =>
        choice.type === 'take' &&
        choice.cells.some((name) => table.market.some(({ cell, building }) => cell === name && building !== null)),
    ),
  'some-turns': ({ view: { table }, choices }: Now) => choices.length > 0 && table.turns >= 4,
  'half-time': ({ view: { table }, seat, choices }: Now) =>
    choices.length > 0 && (table.players[seat]?.turns_left ?? 0) <= 10,
  late: ({ view: { table }, seat, choices }: Now) =>
    choices.length > 0 && (table.players[seat]?.turns_left ?? 0) <= LATE,
  'built-for-points': ({ view: { table }, seat }: Now) => {
    const last = table.players[seat]?.city.at(-1);
    return last?.kind === 'points';
  },
  'built-civic': ({ view: { table }, seat }: Now) => table.players[seat]?.city.at(-1)?.kind === 'civic',
} satisfies Moments;
