import type { Amount, ChanceEvent, Choice, Decision, MatchReview } from '../../wire/review';

/** The unit of values: points, or the chance to win. */
export type Measure = 'points' | 'chance';

/** The moves after a stop: chance moves, or the decisions of all seats that are due. */
export interface Step {
  readonly chance: ChanceEvent | undefined;
  readonly decisions: readonly Decision[];
}

export function stepAt(match: MatchReview, stops: readonly number[], at: number): Step {
  const [from, to] = [stops[at] ?? 0, stops[at + 1] ?? -1];
  const inside = ({ move }: { readonly move: number }): boolean => move >= from && move < to;
  return { chance: match.chances.find(inside), decisions: match.decisions.filter(inside) };
}

/** Returns the stop before a move. */
export function stopOf(stops: readonly number[], move: number): number {
  return Math.max(
    0,
    stops.findLastIndex((moves) => moves <= move),
  );
}

/**
 * Returns the number of cards or rolls that were used before a move, without one that was just drawn; null at the
 * end.
 */
export function usedAt(match: MatchReview, moves: number): number | null {
  if (moves >= match.moves) return null;
  const earlier = match.chances.filter(({ move }) => move < moves);
  return earlier.length - (earlier.at(-1)?.move === moves - 1 ? 1 : 0);
}

/** Returns the decisions that were certainly worse than the best ones, in order. */
export function mistakesOf(match: MatchReview, seat: number): readonly Decision[] {
  return match.decisions.filter((decision) => decision.seat === seat && decision.grade !== 'good');
}

/** Returns the choices to show for a decision: the best one, the played one, and others of similar value; each once. */
export function choicesOf({ best, played, others }: Decision): readonly Choice[] {
  const same = JSON.stringify(best.action) === JSON.stringify(played.action);
  return [best, ...(same ? [] : [played]), ...others];
}

export function isPlayed(decision: Decision, choice: Choice): boolean {
  return JSON.stringify(choice.action) === JSON.stringify(decision.played.action);
}

/** Returns an amount in the unit of a measure; chances in percentage points. */
export function measured(amount: Amount | undefined, measure: Measure): number {
  if (measure === 'points') return amount?.points.mean ?? 0;
  return (amount?.chance?.mean ?? 0) * 100;
}

export function errorOf(amount: Amount | undefined, measure: Measure): number {
  if (measure === 'points') return amount?.points.error ?? 0;
  return (amount?.chance?.error ?? 0) * 100;
}

/** Whether an amount of points differs significantly from 0. */
export function isSure(amount: Amount): boolean {
  return Math.abs(amount.points.mean) > 2 * errorOf(amount, 'points');
}

/** The luck of a seat compared with the others at the same random events, in points without a sign. */
export interface LuckBeside {
  readonly kind: 'more' | 'less' | 'even';
  readonly points: number;
}

/** Returns null if the seats have separate luck, or without other seats. */
export function luckBeside({ compared }: ChanceEvent, seat: number): LuckBeside | null {
  const own = compared[seat];
  if (!own) return null;
  const points = Math.abs(own.mean);
  if (points <= 2 * (own.error ?? 0)) return { kind: 'even', points };
  return { kind: own.mean > 0 ? 'more' : 'less', points };
}

/** The change of a seat's expectation between two points of the curve, by its cause. */
export interface Change {
  readonly luck: number;
  readonly skill: number;
}

export function changesOf(match: MatchReview, seat: number, measure: Measure): readonly Change[] {
  return match.curve.slice(1).map((point, index) => {
    const before = match.curve[index];
    const moved = measured(point.seats[seat], measure) - measured(before?.seats[seat], measure);
    const lucky = match.chances.some(({ move }) => move === before?.moves);
    if (lucky) return { luck: moved, skill: 0 };
    const own = match.decisions.find(
      ({ move, seat: who }) => who === seat && move >= (before?.moves ?? 0) && move < point.moves,
    );
    return { luck: 0, skill: own ? measured(own.skill, measure) : 0 };
  });
}
