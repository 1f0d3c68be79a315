import type { Component } from 'svelte';
import type { GameCard, GameModule, GameScreens } from './types';

/** The games are found: a folder with these two files is one. */
const CARDS = import.meta.glob<GameCard>('./*/card.ts', { eager: true, import: 'default' });
/** The screens of a game arrive when somebody sits down to it. */
const SCREENS = import.meta.glob<GameScreens>('./*/index.ts');

const keyOf = (path: string): string => path.split('/')[1] ?? '';
const FOUND = Object.entries(CARDS).map(([path, card]) => ({ ...card, game: keyOf(path) }));

/** The games that have screens here, in the order of the home page. */
export const GAMES: readonly string[] = FOUND.sort((a, b) => a.order - b.order).map(({ game }) => game);

/** The picture on the card of a game. */
export function artOf(game: string): Component | undefined {
  return FOUND.find((card) => card.game === game)?.art;
}

/** The screens of a game, with the ways to play it that the server offers. */
export async function loadGame(game: string): Promise<GameModule> {
  const load = SCREENS[`./${game}/index.ts`];
  if (!load) throw new Error(`no screens for ${game}`);
  const screens = await load();
  return { ...screens, modes: (await screens.outline()).modes };
}
