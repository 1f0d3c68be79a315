import type { GameModule } from '../../games/types';
import { t, tenths, tMaybe } from '../../i18n/index.svelte';
import { joinReasons } from '../../lib/match/hints.svelte';
import { botName } from '../../lib/text/displayNames';
import type { Amount, ChanceEvent, Choice, Decision, MatchReview, Moment, Strength } from '../../wire/review';
import { errorOf, isSure, luckBeside, measured, type Measure } from './reviewData';
import type {} from './words';

/** The names of the players, and the game that describes their actions. */
export interface TextContext {
  readonly game: GameModule;
  readonly names: readonly string[];
}

/** Number of points from which a difference is mentioned. */
const NOTABLE = 0.5;

/** Formats points with one decimal and without a sign: "2.4 points". */
export function pointsOf(amount: Amount): string {
  return pointsIn(Math.abs(amount.points.mean));
}

function pointsIn(points: number): string {
  return t('review.points', { count: Math.round(points * 10) / 10, points: tenths(points) });
}

/** Describes the value of a card or roll for a seat compared with the others; empty without a comparison. */
export function besideOf(chance: ChanceEvent, seat: number): string {
  const beside = luckBeside(chance, seat);
  return beside ? t(`review.chance.beside.${beside.kind}`, { points: pointsIn(beside.points) }) : '';
}

/** Describes the reasons for a choice with the texts of hints; empty if it has none. */
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

/** Describes the distance of a choice from the best one, or its result if that is 0; chances in percent. */
export function worthOf(choice: Choice, measure: Measure): string {
  const [lacks, unit] = [measured(choice.lacks, measure), measure === 'chance' ? '\u00a0%' : ''];
  if (lacks < 0.05) return t('review.choice.value', { points: tenths(measured(choice.value, measure)) + unit });
  return `${tenths(-lacks, 'exceptZero')} ± ${tenths(errorOf(choice.lacks, measure))}${unit}`;
}

/** Describes the quality of a decision in a sentence. */
export function verdictOf(decision: Decision, { names }: TextContext): string {
  const name = names[decision.seat] ?? '';
  if (!decision.counts) return t('review.noChoice', { name });
  if (decision.grade !== 'good') return t(`review.grade.${decision.grade}`, { name, points: pointsOf(decision.loss) });
  const isFind = decision.skill.points.mean > NOTABLE && isSure(decision.skill);
  return t(isFind ? 'review.grade.find' : 'review.grade.good', { name });
}

/** Describes a key moment in a sentence. */
export function momentOf(moment: Moment, match: MatchReview, view: unknown, context: TextContext): string {
  const name = context.names[moment.seat] ?? '';
  const points = pointsOf(moment.amount);
  if (moment.kind === 'luck' || moment.kind === 'misfortune') {
    const chance = match.chances.find(({ move }) => move === moment.move);
    const what = chance ? luckOf(chance.action, context.game) : '';
    if (what) return t(`review.moment.${moment.kind}.what`, { name, points, what });
    return t(`review.moment.${moment.kind}`, { name, points });
  }
  const decision = match.decisions.find(({ move }) => move === moment.move);
  if (!decision || view === undefined) return t(`review.moment.${moment.kind}`, { name, points });
  const better = context.game.actionName(decision.best.action, t, view);
  if (moment.kind === 'loss') return t('review.moment.loss.what', { name, points, better });
  const what = context.game.actionName(decision.played.action, t, view);
  return t('review.moment.find.what', { name, points, what });
}

/** Names a card or a roll; empty if the game has no name for it. */
export function luckOf(action: unknown, game: GameModule): string {
  return game.luckName?.(action, t) ?? '';
}

export function topicOf(topic: string): string {
  return tMaybe(`review.topic.${topic}`, '');
}

/** Returns the name of the bot that plays for par. */
export function parBot(): string {
  return botName('level-5');
}

/** Names the level with the same strength, or the range of levels that are not distinguishable from it. */
function likeOf({ alike: [first, last], low, high }: Strength): string {
  if (first < last) return t('review.strength.some', { first, last });
  return t(first < 1 ? 'review.strength.none' : 'review.strength', {
    level: first,
    bot: botName(`level-${first}`),
    low: tenths(low),
    high: tenths(high),
  });
}

/** Describes the strength of a player in a sentence. */
export function strengthOf(strength: Strength): string {
  const { topics } = strength;
  const best = topics.find(({ topic }) => topicOf(topic));
  const worst = topics.findLast(({ topic }) => topicOf(topic));
  const whole = likeOf(strength);
  if (!best || !worst || best === worst || best.level - worst.level < 0.5) return whole;
  return `${whole} ${t('review.strength.best', { topic: topicOf(best.topic) })}`;
}
