import type { Reveal, View } from '../../wire/mycity';
import * as hints from '../placing/hints';
import type { GameMode, GameScreens } from '../types';
import { episodeOf } from './campaign/episode';
import Letter from './campaign/letters/Letter.svelte';
import * as letter from './campaign/letters/letters';
import { isOpen, openFor } from './campaign/letters/seals.svelte';
import * as standings from './campaign/words';
import { chapterName as nameOfChapter } from './chapters/names';
import * as feedback from './eventFeedback';
import MyCityScreen from './MyCityScreen.svelte';
import { chapterOf, outlines } from './outline';
import * as words from './words';

export const screen: GameScreens['screen'] = MyCityScreen;
export const outline: GameScreens['outline'] = () => outlines.newest();
export const feedbackOf: GameScreens['feedbackOf'] = feedback.feedbackOf;
export const isAnnounced: GameScreens['isAnnounced'] = feedback.isAnnounced;
export const describe: GameScreens['describe'] = words.describe;
export const modeName: GameScreens['modeName'] = words.modeName;
export const groupName: NonNullable<GameScreens['groupName']> = words.groupName;
export const matchName: NonNullable<GameScreens['matchName']> = words.matchName;
export const stopped: NonNullable<GameScreens['stopped']> = (view, seat) =>
  (view as View).table.cities[seat]?.stopped ?? false;
export const settled: NonNullable<GameScreens['settled']> = (view) => (view as View).table.cleared;
export const city: GameScreens['city'] = () => import('./board/FinishedCity.svelte');
export const lineName: GameScreens['lineName'] = words.lineName;
export const reason: GameScreens['reason'] = words.reason;
export const ruleOf: NonNullable<GameScreens['ruleOf']> = ({ code }) => outlines.current?.rules.reasons[code];
export const about: NonNullable<GameScreens['about']> = async () => (await import('./about')).loadExplainer();
export const rulebook: NonNullable<GameScreens['rulebook']> = async () => (await import('./rules/book')).default;
export const actionName: GameScreens['actionName'] = (action, t) =>
  hints.actionName(action, t, (shape) => words.shapeWord(shape));
export const luckName: NonNullable<GameScreens['luckName']> = (luck, t) => words.cardName((luck as Reveal).card, t);
export const saying: GameScreens['saying'] = hints.saying;
export const featureName: GameScreens['featureName'] = (feature) => hints.featureName(feature, words.lineName(feature));
export const chapterName: NonNullable<GameScreens['chapterName']> = nameOfChapter;
export const standingLine: NonNullable<GameScreens['standingLine']> = standings.standingLine;
export const letters: NonNullable<GameScreens['letters']> = { page: Letter, ...letter };
export const campaign: NonNullable<GameScreens['campaign']> = () => import('./campaign/Campaign.svelte');
export const emblem: NonNullable<GameScreens['emblem']> = () => import('./campaign/cities/AnimalSign.svelte');
export const campaignSheet: NonNullable<GameScreens['campaignSheet']> = () => import('./campaign/CampaignSheet.svelte');

export async function prepare(setup: unknown): Promise<void> {
  await outlines.follow(setup);
  const episode = episodeOf(setup);
  if (episode !== null) await openFor(episode);
}

export function sealed(mode: GameMode): boolean {
  const episode = episodeOf(mode.setup);
  return episode !== null && episode > 1 && !isOpen(chapterOf(episode));
}
