import { openBook } from '../i18n/books.svelte';
import type { GameCard, GameModule, GameScreens } from './types';

/** Every folder with these two files is a game. */
const CARDS = import.meta.glob<GameCard>('./*/card.ts', { eager: true, import: 'default' });
/** The screens of a game are loaded with its first page. */
const SCREENS = import.meta.glob<GameScreens>('./*/index.ts');

const keyOf = (path: string): string => path.split('/')[1] ?? '';
const FOUND = Object.entries(CARDS).map(([path, card]) => ({ ...card, game: keyOf(path) }));

/** The games that have screens here, in the order of the home page. */
export const GAMES: readonly string[] = FOUND.sort((a, b) => a.order - b.order).map(({ game }) => game);

/** Returns the loader of the picture on the card of a game. */
export function artOf(game: string): GameCard['art'] | undefined {
  return FOUND.find((card) => card.game === game)?.art;
}

/** Returns the keys of the modes on the card of a game. */
export function modesOf(game: string): readonly string[] {
  return FOUND.find((card) => card.game === game)?.modes ?? [];
}

const loaded = new Map<string, Promise<GameModule>>();

/** Loads the screens of a game, with the modes that the server offers. Repeated calls share one module. */
export function loadGame(game: string): Promise<GameModule> {
  const known = loaded.get(game);
  if (known) return known;
  const loading = load(game);
  loaded.set(game, loading);
  loading.catch(() => loaded.delete(game)); // the next call tries again
  return loading;
}

async function load(game: string): Promise<GameModule> {
  const books = FOUND.find((card) => card.game === game)?.books ?? [];
  const [screens] = await Promise.all([SCREENS[`./${game}/index.ts`]?.(), ...books.map(openBook)]);
  if (!screens) throw new Error(`no screens for ${game}`);
  return { ...screens, modes: (await screens.outline()).modes };
}
