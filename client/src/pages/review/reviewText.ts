import type { GameModule } from '../../games/types';
import { t, tenths, tMaybe } from '../../i18n/index.svelte';
import { joinReasons } from '../../lib/match/hints.svelte';
import { botName } from '../../lib/text/displayNames';
import type { Amount, Chance, Choice, Decision, MatchReview, Moment, Strength } from '../../wire/review';
import { errorOf, isSure, luckBeside, measured, type Measure } from './reviewData';
import type {} from './words';

/** What was played, in words: the names of people, and the game that has names for what they do. */
export interface TextContext {
  readonly game: GameModule;
  readonly names: readonly string[];
}

/** Points that are worth a word. */
const NOTABLE = 0.5;

/** Points without a sign, to a tenth: "2.4 points". */
export function pointsOf(amount: Amount): string {
  return pointsIn(Math.abs(amount.points.mean));
}

function pointsIn(points: number): string {
  return t('review.points', { count: Math.round(points * 10) / 10, points: tenths(points) });
}

/** What a card or roll was worth to a seat beside the others, in a sentence; empty where there is nothing to compare. */
export function besideOf(chance: Chance, seat: number): string {
  const beside = luckBeside(chance, seat);
  return beside ? t(`review.chance.beside.${beside.kind}`, { points: pointsIn(beside.points) }) : '';
}

/** Why a choice is good, in the words of hints; empty where there are none. */
export function whyOf(choice: Choice, game: GameModule): string {
  return joinReasons(
    (choice.pro ?? []).map((saying) => game.saying(saying, t)),
    2,
  );
}

export function whyNotOf(choice: Choice, game: GameModule): string {
  return joinReasons(
    (choice.con ?? []).map((saying) => game.saying(saying, t)),
    2,
  );
}

/** What a choice lacks to the best, or what it leads to if that is nothing; chances in percent. */
export function worthOf(choice: Choice, measure: Measure): string {
  const [lacks, unit] = [measured(choice.lacks, measure), measure === 'chance' ? '\u00a0%' : ''];
  if (lacks < 0.05) return t('review.choice.value', { points: tenths(measured(choice.value, measure)) + unit });
  return `${tenths(-lacks, 'exceptZero')} ± ${tenths(errorOf(choice.lacks, measure))}${unit}`;
}

/** How good a decision was, in a sentence. */
export function verdictOf(decision: Decision, { names }: TextContext): string {
  const name = names[decision.seat] ?? '';
  if (!decision.counts) return t('review.noChoice', { name });
  if (decision.grade !== 'good') return t(`review.grade.${decision.grade}`, { name, points: pointsOf(decision.loss) });
  const found = decision.skill.points.mean > NOTABLE && isSure(decision.skill);
  return t(found ? 'review.grade.find' : 'review.grade.good', { name });
}

/** What a moment was about, in a sentence. */
export function momentOf(moment: Moment, match: MatchReview, view: unknown, said: TextContext): string {
  const name = said.names[moment.seat] ?? '';
  const points = pointsOf(moment.amount);
  if (moment.kind === 'luck' || moment.kind === 'misfortune') {
    const chance = match.chances.find(({ move }) => move === moment.move);
    const what = chance ? luckOf(chance.action, said.game) : '';
    if (what) return t(`review.moment.${moment.kind}.what`, { name, points, what });
    return t(`review.moment.${moment.kind}`, { name, points });
  }
  const decision = match.decisions.find(({ move }) => move === moment.move);
  if (!decision || view === undefined) return t(`review.moment.${moment.kind}`, { name, points });
  const better = said.game.actionName(decision.best.action, t, view);
  if (moment.kind === 'loss') return t('review.moment.loss.what', { name, points, better });
  const what = said.game.actionName(decision.played.action, t, view);
  return t('review.moment.find.what', { name, points, what });
}

/** A card or a roll by its name; empty where a game has none for it. */
export function luckOf(action: unknown, game: GameModule): string {
  return game.luckName?.(action, t) ?? '';
}

export function topicOf(topic: string): string {
  return tMaybe(`review.topic.${topic}`, '');
}

/** Who plays for par, by name. */
export function parBot(): string {
  return botName('level-5');
}

/** Like which level, or between which ones where they cannot be told apart. */
function likeOf({ alike: [first, last], low, high }: Strength): string {
  if (first < last) return t('review.strength.some', { first, last });
  return t(first < 1 ? 'review.strength.none' : 'review.strength', {
    level: first,
    bot: botName(`level-${first}`),
    low: tenths(low),
    high: tenths(high),
  });
}

/** How well somebody played, in a sentence. */
export function strengthOf(strength: Strength): string {
  const { topics } = strength;
  const best = topics.find(({ topic }) => topicOf(topic));
  const worst = topics.findLast(({ topic }) => topicOf(topic));
  const whole = likeOf(strength);
  if (!best || !worst || best === worst || best.level - worst.level < 0.5) return whole;
  return `${whole} ${t('review.strength.best', { topic: topicOf(best.topic) })}`;
}
