import { loadGame } from '../../games/index';
import type { Rulebook } from '../../games/types';
import { openBook } from '../../i18n/books.svelte';
import { api } from '../../net/api/api';
import type { Trials } from '../../wire/server';

export interface LoadedRules {
  readonly book: Rulebook;
  /** May arrive later than the rules; null if they are not available. */
  readonly trials: Promise<Trials | null>;
}

/** Loads the rules of a game with all their texts; undefined if it has none. */
export async function loadRules(game: string): Promise<LoadedRules | undefined> {
  const module = await loadGame(game);
  if (!module.rulebook) return undefined;
  const trials = api.trials(game).catch(() => null);
  const [book] = await Promise.all([module.rulebook(), openBook('rules')]);
  await book.prepare();
  return { book, trials };
}
