import type { GameModule } from '../types';
import * as campaign from './modes';
import MyCityScreen from './MyCityScreen.svelte';
import * as words from './words';

export const screen: GameModule['screen'] = MyCityScreen;
export const modes: GameModule['modes'] = campaign.modes;
export const describe: GameModule['describe'] = words.describe;
export const modeName: GameModule['modeName'] = words.modeName;
export const groupName: NonNullable<GameModule['groupName']> = words.groupName;
export const matchName: NonNullable<GameModule['matchName']> = words.matchName;
export const lineName: GameModule['lineName'] = words.lineName;
export const reason: GameModule['reason'] = words.reason;
