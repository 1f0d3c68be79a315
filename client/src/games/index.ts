import type { Component } from 'svelte';
import type { GameCard, GameModule } from './types';

/** The games are found: a folder with these two files is one. */
const CARDS = import.meta.glob<GameCard>('./*/card.ts', { eager: true, import: 'default' });
/** The screens of a game arrive when somebody sits down to it. */
const SCREENS = import.meta.glob<GameModule>('./*/index.ts');

const keyOf = (path: string): string => path.split('/')[1] ?? '';
const FOUND = Object.entries(CARDS).map(([path, card]) => ({ ...card, game: keyOf(path) }));

/** The games that have screens here, in the order of the home page. */
export const GAMES: readonly string[] = FOUND.sort((a, b) => a.order - b.order).map(({ game }) => game);

/** The picture on the card of a game. */
export function artOf(game: string): Component | undefined {
  return FOUND.find((card) => card.game === game)?.art;
}

export function loadGame(game: string): Promise<GameModule> {
  return SCREENS[`./${game}/index.ts`]?.() ?? Promise.reject(new Error(`no screens for ${game}`));
}
