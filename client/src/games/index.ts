import type { Component } from 'svelte';
import TownArt from '../shell/TownArt.svelte';
import PointCityArt from './pointcity/Art.svelte';
import RollWriteArt from './rollwrite/Art.svelte';
import type { GameInfo } from '../wire/server';
import type { GameModule, GameScreens } from './types';

interface Entry {
  /** The screens of a game arrive when somebody sits down to it. */
  load(): Promise<GameScreens>;
  /** The picture on its card on the home page. */
  readonly art: Component;
}

const GAMES: Readonly<Record<string, Entry>> = {
  mycity: { load: () => import('./mycity/index'), art: TownArt },
  rollwrite: { load: () => import('./rollwrite/index'), art: RollWriteArt },
  pointcity: { load: () => import('./pointcity/index'), art: PointCityArt },
};

/** The games that are known here, in the order of the home page. */
export function inOrder(games: readonly GameInfo[]): readonly GameInfo[] {
  return Object.keys(GAMES).flatMap((key) => games.filter(({ game }) => game === key));
}

export function artOf(game: string): Component | undefined {
  return GAMES[game]?.art;
}

/** The screens of a game, with the ways to play it that the server offers. */
export async function loadGame(game: string): Promise<GameModule> {
  const entry = GAMES[game];
  if (!entry) throw new Error(`no screens for ${game}`);
  const screens = await entry.load();
  return { ...screens, modes: (await screens.outline()).modes };
}
