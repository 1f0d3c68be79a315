import type { GameScreens } from '../types';
import * as feedback from './eventFeedback';
import { outlines } from './outline';
import PointCityScreen from './PointCityScreen.svelte';
import * as words from './words';

export const screen: GameScreens['screen'] = PointCityScreen;
export const outline: GameScreens['outline'] = () => outlines.newest();
export const feedbackOf: GameScreens['feedbackOf'] = feedback.feedbackOf;
export const isAnnounced: GameScreens['isAnnounced'] = feedback.isAnnounced;
export const describe: GameScreens['describe'] = words.describe;
export const modeName: GameScreens['modeName'] = words.modeName;
export const groupName: NonNullable<GameScreens['groupName']> = words.groupName;
export const matchName: NonNullable<GameScreens['matchName']> = words.matchName;
export const others: NonNullable<GameScreens['others']> = words.others;
export const city: GameScreens['city'] = () => import('./players/FinishedCity.svelte');
export const lineName: GameScreens['lineName'] = words.lineName;
export const reason: GameScreens['reason'] = words.reason;
export const ruleOf: NonNullable<GameScreens['ruleOf']> = ({ code }) => outlines.current?.rules.reasons[code];
export const about: NonNullable<GameScreens['about']> = async () => (await import('./about')).loadExplainer();
export const rulebook: NonNullable<GameScreens['rulebook']> = async () => (await import('./rules/book')).default;
export const actionName: GameScreens['actionName'] = words.actionName;
export const saying: GameScreens['saying'] = words.saying;
export const featureName: GameScreens['featureName'] = words.featureName;

export async function prepare(setup: unknown): Promise<void> {
  await outlines.follow(setup);
}
