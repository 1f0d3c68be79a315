import type { View } from '../../wire/rollwrite';
import * as hints from '../building/hints';
import type { GameModule } from '../types';
import * as campaign from './campaign';
import PrintSheet from './PrintSheet.svelte';
import RollWriteScreen from './RollWriteScreen.svelte';
import TypeRoll from './TypeRoll.svelte';
import * as words from './words';

export const screen: GameModule['screen'] = RollWriteScreen;
export const modes: GameModule['modes'] = campaign.modes;
export const describe: GameModule['describe'] = words.describe;
export const modeName: GameModule['modeName'] = words.modeName;
export const groupName: NonNullable<GameModule['groupName']> = words.groupName;
export const matchName: NonNullable<GameModule['matchName']> = words.matchName;
export const chapterName: NonNullable<GameModule['chapterName']> = words.chapterName;
export const standingLine: NonNullable<GameModule['standingLine']> = words.standingLine;
export const stopped: NonNullable<GameModule['stopped']> = (view, seat) =>
  (view as View).table.cities[seat]?.stopped ?? false;
export const lineName: GameModule['lineName'] = words.lineName;
export const reason: GameModule['reason'] = words.reason;
export const actionName: GameModule['actionName'] = (action, t) => hints.actionName(action, t);
export const featureName: GameModule['featureName'] = (feature, t) =>
  hints.featureName(feature, words.lineName(feature, t));
export const print: NonNullable<GameModule['print']> = PrintSheet;
export const typedLuck = true;
export const luck: NonNullable<GameModule['luck']> = TypeRoll;
