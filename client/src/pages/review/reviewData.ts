import type { Amount, Chance, Choice, Decision, MatchReview } from '../../wire/review';

/** Points, or the chance to win. */
export type Measure = 'points' | 'chance';

/** What happens after a stop: chance moves, or all who are due decide. */
export interface Step {
  readonly chance: Chance | undefined;
  readonly decisions: readonly Decision[];
}

export function stepAt(match: MatchReview, stops: readonly number[], at: number): Step {
  const [from, to] = [stops[at] ?? 0, stops[at + 1] ?? -1];
  const inside = ({ move }: { readonly move: number }): boolean => move >= from && move < to;
  return { chance: match.chances.find(inside), decisions: match.decisions.filter(inside) };
}

/** The stop before a move. */
export function stopOf(stops: readonly number[], move: number): number {
  return Math.max(
    0,
    stops.findLastIndex((moves) => moves <= move),
  );
}

/** How many cards or rolls were used after so many moves, not counting one that has just come; null at the end. */
export function usedAt(match: MatchReview, moves: number): number | null {
  if (moves >= match.moves) return null;
  const came = match.chances.filter(({ move }) => move < moves);
  return came.length - (came.at(-1)?.move === moves - 1 ? 1 : 0);
}

/** What somebody surely could have done better, in the order of the game. */
export function mistakesOf(match: MatchReview, seat: number): readonly Decision[] {
  return match.decisions.filter((decision) => decision.seat === seat && decision.grade !== 'good');
}

/** What is shown of a decision: the best, what was played, and others that were close; each of them once. */
export function choicesOf({ best, played, others }: Decision): readonly Choice[] {
  const same = JSON.stringify(best.action) === JSON.stringify(played.action);
  return [best, ...(same ? [] : [played]), ...others];
}

export function isPlayed(decision: Decision, choice: Choice): boolean {
  return JSON.stringify(choice.action) === JSON.stringify(decision.played.action);
}

/** An amount as it is measured; chances in points of a hundred. */
export function measured(amount: Amount | undefined, measure: Measure): number {
  if (measure === 'points') return amount?.points.mean ?? 0;
  return (amount?.chance?.mean ?? 0) * 100;
}

export function errorOf(amount: Amount | undefined, measure: Measure): number {
  if (measure === 'points') return amount?.points.error ?? 0;
  return (amount?.chance?.error ?? 0) * 100;
}

/** Whether an amount of points can be told from nothing. */
export function isSure(amount: Amount): boolean {
  return Math.abs(amount.points.mean) > 2 * errorOf(amount, 'points');
}

/** How much luck a seat had beside the others, where all met the same: points without a sign. */
export interface LuckBeside {
  readonly kind: 'more' | 'less' | 'even';
  readonly points: number;
}

/** Null where each has luck of their own, or nobody else is there. */
export function luckBeside({ compared }: Chance, seat: number): LuckBeside | null {
  const own = compared[seat];
  if (!own) return null;
  const points = Math.abs(own.mean);
  if (points <= 2 * (own.error ?? 0)) return { kind: 'even', points };
  return { kind: own.mean > 0 ? 'more' : 'less', points };
}

/** What changed from one point of the curve to the next for a seat, and why. */
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
