import type { View } from '../../wire/mycity';
import * as hints from '../building/hints';
import type { GameMode, GameModule } from '../types';
import { episodeOf } from './campaign/episode';
import Letter from './campaign/Letter.svelte';
import * as letter from './campaign/letters';
import { isOpen, openFor } from './campaign/seals.svelte';
import * as standings from './campaign/words';
import { chapterOf } from './chapters/index.svelte';
import * as offered from './modes';
import MyCityScreen from './MyCityScreen.svelte';
import * as words from './words';

export const screen: GameModule['screen'] = MyCityScreen;
export const modes: GameModule['modes'] = offered.modes;
export const describe: GameModule['describe'] = words.describe;
export const modeName: GameModule['modeName'] = words.modeName;
export const groupName: NonNullable<GameModule['groupName']> = words.groupName;
export const matchName: NonNullable<GameModule['matchName']> = words.matchName;
export const stopped: NonNullable<GameModule['stopped']> = (view, seat) =>
  (view as View).table.cities[seat]?.stopped ?? false;
export const lineName: GameModule['lineName'] = words.lineName;
export const reason: GameModule['reason'] = words.reason;
export const actionName: GameModule['actionName'] = (action, t) =>
  hints.actionName(action, t, (shape) => words.shapeWord(`blue-${shape}`));
export const featureName: GameModule['featureName'] = (feature) => hints.featureName(feature, words.lineName(feature));
export const chapterName: NonNullable<GameModule['chapterName']> = standings.chapterName;
export const standingLine: NonNullable<GameModule['standingLine']> = standings.standingLine;
export const letters: NonNullable<GameModule['letters']> = { page: Letter, ...letter };
export const campaign: NonNullable<GameModule['campaign']> = () => import('./campaign/Campaign.svelte');
export const again: NonNullable<GameModule['again']> = () => import('./campaign/Again.svelte');

export async function prepare(setup: unknown): Promise<void> {
  const episode = episodeOf(setup);
  if (episode !== null) await openFor(episode);
}

export function sealed(mode: GameMode): boolean {
  const episode = episodeOf(mode.setup);
  return episode !== null && episode > 1 && !isOpen(chapterOf(episode));
}
