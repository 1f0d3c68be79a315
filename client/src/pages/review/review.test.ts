import { describe, expect, it } from 'vitest';
import { openBook } from '../../i18n/books.svelte';
import { speak } from '../../i18n/index.svelte';
import { ApiError } from '../../net/backend';
import type { Amount, ChanceEvent, Choice, Decision, MatchReview } from '../../wire/review';
import type { ReviewState } from '../../wire/server';
import { Exercise } from './decisions/exercise.svelte';
import { RefinedAnswer } from './refinedAnswer.svelte';
import { changesOf, choicesOf, isPlayed, luckBeside, mistakesOf, stepAt, stopOf, usedAt } from './reviewData';
import { besideOf, worthOf } from './reviewText';

const amount = (mean: number): Amount => ({ points: { mean, error: 0.1 }, chance: { mean: mean / 100, error: 0.01 } });
const choice = (action: string, lacks = 0): Choice => ({
  action,
  value: amount(30 - lacks),
  lacks: amount(lacks),
  behind: lacks > 1,
});
const decision = (move: number, seat: number, change: Partial<Decision> = {}): Decision => ({
  move,
  seat,
  topic: 'church',
  counts: true,
  grade: 'good',
  played: choice('a'),
  best: choice('a'),
  others: [choice('c', 0.5)],
  loss: amount(0),
  skill: amount(1),
  ...change,
});
/** A card, two decisions at once, another card, and the end. */
const STOPS = [0, 1, 3, 4, 6];
const MATCH: MatchReview = {
  hindsight: true,
  begins: 0,
  moves: 6,
  curve: [10, 12, 13, 11, 15].map((mean, at) => ({ moves: STOPS[at] ?? 0, seats: [amount(mean), amount(20)] })),
  decisions: [
    decision(1, 0),
    decision(2, 1, { grade: 'slip' }),
    decision(4, 0, { grade: 'blunder', best: choice('b'), played: choice('a', 4), skill: amount(-3) }),
    decision(5, 1),
  ],
  chances: [
    { move: 0, action: 'card', possible: 3, luck: [amount(2), amount(0)], compared: [] },
    { move: 3, action: 'card', possible: 2, luck: [amount(-2), amount(0)], compared: [] },
  ],
  accounts: [],
  strengths: [],
  moments: [],
};

describe('the data of a review', () => {
  it('has the moves after a stop', () => {
    expect(stepAt(MATCH, STOPS, 0).chance?.move).toBe(0);
    expect(stepAt(MATCH, STOPS, 1).decisions.map(({ move }) => move)).toEqual([1, 2]);
    expect(stepAt(MATCH, STOPS, 4)).toEqual({ chance: undefined, decisions: [] });
  });

  it('finds the stop before a move, also for the second of two simultaneous decisions', () => {
    expect([0, 1, 2, 3, 5].map((move) => stopOf(STOPS, move))).toEqual([0, 1, 1, 2, 3]);
  });

  it('counts used cards without one that was just drawn', () => {
    expect(STOPS.map((moves) => usedAt(MATCH, moves))).toEqual([0, 0, 1, 1, null]);
  });

  it('separates luck from skill', () => {
    expect(changesOf(MATCH, 0, 'points')).toEqual([
      { luck: 2, skill: 0 },
      { luck: 0, skill: 1 },
      { luck: -2, skill: 0 },
      { luck: 0, skill: -3 },
    ]);
    expect(changesOf(MATCH, 0, 'chance')[0]?.luck).toBeCloseTo(2);
  });

  it('separates own luck from luck compared with others', () => {
    const chance = (mean: number, error: number): ChanceEvent => ({
      ...MATCH.chances[0]!,
      compared: [
        { mean, error },
        { mean: -mean, error },
      ],
    });
    expect(luckBeside(chance(1.5, 0.2), 0)).toEqual({ kind: 'more', points: 1.5 });
    expect(luckBeside(chance(1.5, 0.2), 1)).toEqual({ kind: 'less', points: 1.5 });
    expect(luckBeside(chance(0.3, 0.2), 0)?.kind).toBe('even');
    expect(luckBeside(MATCH.chances[0]!, 0)).toBeNull();
  });

  it('lists every choice once, the best first', () => {
    const [good, , blunder] = MATCH.decisions as [Decision, Decision, Decision];
    expect(choicesOf(good).map(({ action }) => action)).toEqual(['a', 'c']);
    expect(choicesOf(blunder).map(({ action }) => action)).toEqual(['b', 'a', 'c']);
    expect(choicesOf(blunder).map((each) => isPlayed(blunder, each))).toEqual([false, true, false]);
    expect(mistakesOf(MATCH, 0)).toEqual([blunder]);
  });
});

describe('the texts of a review', () => {
  it('describe the distance of a choice from the best one in points or in the chance to win', async () => {
    await speak('en');
    await openBook('review');
    const slip = choice('b', 2);
    expect(worthOf(slip, 'points')).toBe('−2.0 ± 0.1');
    expect(worthOf(slip, 'chance')).toBe('−2.0 ± 1.0\u00a0%');
    expect(worthOf(choice('a'), 'points')).toBe('leads to 30.0');
    expect(worthOf(choice('a'), 'chance')).toBe('leads to 30.0\u00a0%');
  });

  it('compare the luck of a seat with the others', async () => {
    await speak('en');
    await openBook('review');
    const chance = { ...MATCH.chances[0]!, compared: [{ mean: 1.5, error: 0.2 }] };
    expect(besideOf(chance, 0)).toBe('1.5 points more than for the others.');
    expect(besideOf(chance, 1)).toBe('');
  });
});

describe('RefinedAnswer', () => {
  const news = (answer: number, final: boolean, review: unknown = null): ReviewState => ({
    done: final ? 1 : answer / 10,
    answer,
    final,
    review,
  });

  it('repeats the request until the answer is final, and requests each answer once', async () => {
    const known: number[] = [];
    const answers = [news(0, false), news(1, false, 'rough'), news(1, false), news(2, true, 'whole')];
    const working = new RefinedAnswer<string>((answer) => {
      known.push(answer);
      return Promise.resolve(answers[known.length - 1] ?? news(9, true));
    });
    await working.follow();
    expect(known).toEqual([0, 0, 1, 1]);
    expect(working.answer).toBe('whole');
    expect(working.done).toBe(1);
  });

  it('waits after a rate limit, and stores other errors', async () => {
    const waited: number[] = [];
    const wrong = [new ApiError(429, '', 7), new ApiError(409, 'no')];
    const working = new RefinedAnswer<string>(
      () => Promise.reject(wrong.shift() ?? new Error('asked too often')),
      (seconds) => {
        waited.push(seconds);
        return Promise.resolve();
      },
    );
    await working.follow();
    expect(waited).toEqual([7]);
    expect(working.problem).toMatchObject({ status: 409 });
  });

  it('ends the requests when the page is left', async () => {
    let asked = 0;
    const working = new RefinedAnswer<string>(() => {
      asked += 1;
      working.leave();
      return Promise.resolve(news(1, false, 'late'));
    });
    await working.follow();
    expect(asked).toBe(1);
    expect(working.answer).toBeNull();
  });
});

describe('an exercise', () => {
  it('compares each answer with the best choice once', async () => {
    const asked: unknown[] = [];
    const blunder = MATCH.decisions[2]!;
    const exercise = new Exercise(
      blunder,
      (move) => Promise.resolve({ name: String(move), seat: 0, view: {}, tries: [] }),
      (solution) => {
        asked.push(solution);
        return Promise.resolve({ right: solution.action === 'b', lacks: amount(4) });
      },
    );
    await exercise.open();
    expect(exercise.trial?.name).toBe('4');
    await exercise.act('a');
    await exercise.act('c');
    expect(asked).toEqual([{ move: 4, action: 'a', beside: 'b' }]);
    expect(exercise.solved?.right).toBe(false);
    exercise.again();
    await exercise.act('b');
    expect(exercise.solved?.right).toBe(true);
  });
});
