import type { View } from '../../wire/rollwrite';
import * as hints from '../building/hints';
import type { GameScreens } from '../types';
import { outlines } from './outline';
import PrintSheet from './PrintSheet.svelte';
import RollWriteScreen from './RollWriteScreen.svelte';
import TypeRoll from './TypeRoll.svelte';
import * as words from './words';

export const screen: GameScreens['screen'] = RollWriteScreen;
export const outline: GameScreens['outline'] = () => outlines.newest();
export const describe: GameScreens['describe'] = words.describe;
export const modeName: GameScreens['modeName'] = words.modeName;
export const groupName: NonNullable<GameScreens['groupName']> = words.groupName;
export const matchName: NonNullable<GameScreens['matchName']> = words.matchName;
export const chapterName: NonNullable<GameScreens['chapterName']> = words.chapterName;
export const standingLine: NonNullable<GameScreens['standingLine']> = words.standingLine;
export const stopped: NonNullable<GameScreens['stopped']> = (view, seat) =>
  (view as View).table.cities[seat]?.stopped ?? false;
export const lineName: GameScreens['lineName'] = words.lineName;
export const reason: GameScreens['reason'] = words.reason;
export const ruleOf: NonNullable<GameScreens['ruleOf']> = ({ code }) => outlines.now?.rules.reasons[code];
export const about: NonNullable<GameScreens['about']> = async () => (await import('./about')).opened();
export const rulebook: NonNullable<GameScreens['rulebook']> = async () => (await import('./rules/book')).default;
export const actionName: GameScreens['actionName'] = (action, t) => hints.actionName(action, t);
export const featureName: GameScreens['featureName'] = (feature, t) =>
  hints.featureName(feature, words.lineName(feature, t));
export const print: NonNullable<GameScreens['print']> = PrintSheet;
export const typedLuck = true;
export const luck: NonNullable<GameScreens['luck']> = TypeRoll;

export async function prepare(setup: unknown): Promise<void> {
  await outlines.follow(setup);
}
