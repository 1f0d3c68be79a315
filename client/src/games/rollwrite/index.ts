import { openBook } from '../../i18n/books.svelte';
import type { Roll, View } from '../../wire/rollwrite';
import * as hints from '../placing/hints';
import type { GameScreens } from '../types';
import TypeRoll from './dice/TypeRoll.svelte';
import * as feedback from './eventFeedback';
import { outlines } from './outline';
import RollWriteScreen from './RollWriteScreen.svelte';
import * as words from './words';

export const screen: GameScreens['screen'] = RollWriteScreen;
export const outline: GameScreens['outline'] = () => outlines.newest();
export const feedbackOf: GameScreens['feedbackOf'] = feedback.feedbackOf;
export const isAnnounced: GameScreens['isAnnounced'] = feedback.isAnnounced;
export const describe: GameScreens['describe'] = words.describe;
export const modeName: GameScreens['modeName'] = words.modeName;
export const groupName: NonNullable<GameScreens['groupName']> = words.groupName;
export const matchName: NonNullable<GameScreens['matchName']> = words.matchName;
export const chapterName: NonNullable<GameScreens['chapterName']> = words.chapterName;
export const standingLine: NonNullable<GameScreens['standingLine']> = words.standingLine;
export const stopped: NonNullable<GameScreens['stopped']> = (view, seat) =>
  (view as View).table.cities[seat]?.stopped ?? false;
export const city: GameScreens['city'] = () => import('./sheet/FinishedCity.svelte');
export const lineName: GameScreens['lineName'] = words.lineName;
export const reason: GameScreens['reason'] = words.reason;
export const ruleOf: NonNullable<GameScreens['ruleOf']> = ({ code }) => outlines.current?.rules.reasons[code];
export const about: NonNullable<GameScreens['about']> = async () => (await import('./about')).loadExplainer();
export const rulebook: NonNullable<GameScreens['rulebook']> = async () => (await import('./rules/book')).default;
export const actionName: GameScreens['actionName'] = (action, t) => hints.actionName(action, t);
export const luckName: NonNullable<GameScreens['luckName']> = (luck, t) =>
  (luck as Roll).faces.map((face) => words.faceName(face, t)).join(' · ');
export const saying: GameScreens['saying'] = hints.saying;
export const featureName: GameScreens['featureName'] = (feature, t) =>
  hints.featureName(feature, words.lineName(feature, t));
export const typedLuck = true;
export const luck: NonNullable<GameScreens['luck']> = TypeRoll;

export async function print(): ReturnType<NonNullable<GameScreens['print']>> {
  const [page] = await Promise.all([import('./paper/PrintSheet.svelte'), openBook('paper')]);
  return page;
}

export async function prepare(setup: unknown): Promise<void> {
  await outlines.follow(setup);
}
