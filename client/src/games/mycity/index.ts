import * as hints from '../building/hints';
import type { GameModule, GameMode } from '../types';
import MyCityScreen from './MyCityScreen.svelte';
import * as words from './words';

export const screen: GameModule['screen'] = MyCityScreen;
export const modes: readonly GameMode[] = [
  { setup: { mode: 'eternal' } },
  { setup: { mode: 'episode', episode: 1 } },
];
export const describe: GameModule['describe'] = words.describe;
export const modeName: GameModule['modeName'] = words.modeName;
export const lineName: GameModule['lineName'] = words.lineName;
export const reason: GameModule['reason'] = words.reason;
export const actionName: GameModule['actionName'] = hints.actionName;
export const featureName: GameModule['featureName'] = (feature, t) => hints.featureName(feature, words.lineName(feature, t));
