import type { GameModule } from '../../games/types';
import { t, tenths, tMaybe } from '../../i18n/index.svelte';
import { sentence } from '../../lib/hints.svelte';
import { botName } from '../../lib/people';
import type { Amount, Choice, Decision, MatchReview, Moment, Strength } from '../../wire/review';
import { isSure } from './reading';
import type {} from './words';

/** What was played, in words: the names of people, and the game that has names for what they do. */
export interface Said {
  readonly game: GameModule;
  readonly names: readonly string[];
}

/** Points that are worth a word. */
const NOTABLE = 0.5;

/** Points without a sign, to a tenth: "2.4 points". */
export function pointsOf(amount: Amount): string {
  const lost = Math.abs(amount.points.mean);
  return t('review.points', { count: Math.round(lost * 10) / 10, points: tenths(lost) });
}

/** Why a choice is good, in the words of hints; empty where there are none. */
export function whyOf(choice: Choice, game: GameModule): string {
  return sentence(
    (choice.pro ?? []).map((saying) => game.saying(saying, t)),
    2,
  );
}

export function whyNotOf(choice: Choice, game: GameModule): string {
  return sentence(
    (choice.con ?? []).map((saying) => game.saying(saying, t)),
    2,
  );
}

/** How good a decision was, in a sentence. */
export function verdictOf(decision: Decision, { names }: Said): string {
  const name = names[decision.seat] ?? '';
  if (!decision.counts) return t('review.noChoice', { name });
  if (decision.grade !== 'good') return t(`review.grade.${decision.grade}`, { name, points: pointsOf(decision.loss) });
  const found = decision.skill.points.mean > NOTABLE && isSure(decision.skill);
  return t(found ? 'review.grade.find' : 'review.grade.good', { name });
}

/** What a moment was about, in a sentence. */
export function momentOf(moment: Moment, match: MatchReview, view: unknown, said: Said): string {
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
