import type { GameMode, GameModule } from '../types';
import PointCityScreen from './PointCityScreen.svelte';
import * as words from './words';

const LEVELS = ['easy', 'medium', 'hard'] as const;

export const screen: GameModule['screen'] = PointCityScreen;
export const modes: readonly GameMode[] = [
  { setup: {}, seats: [2, 3, 4], group: 'several' },
  ...LEVELS.map((automa) => ({ setup: { automa }, seats: [1], group: 'alone' })),
  ...LEVELS.map((automa) => ({ setup: { automa, tokens: 'chosen' }, seats: [1], group: 'chosen' })),
];
export const describe: GameModule['describe'] = words.describe;
export const modeName: GameModule['modeName'] = words.modeName;
export const groupName: NonNullable<GameModule['groupName']> = words.groupName;
export const matchName: NonNullable<GameModule['matchName']> = words.matchName;
export const others: NonNullable<GameModule['others']> = words.others;
export const lineName: GameModule['lineName'] = words.lineName;
export const reason: GameModule['reason'] = words.reason;
export const actionName: GameModule['actionName'] = words.actionName;
export const featureName: GameModule['featureName'] = words.featureName;
