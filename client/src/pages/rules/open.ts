import { loadGame } from '../../games/index';
import type { Rulebook } from '../../games/types';
import { openBook } from '../../i18n/books.svelte';
import { api } from '../../net/api';
import type { Trials } from '../../wire/server';

export interface Opened {
  readonly book: Rulebook;
  /** Null if they could not be had: rules can be read without them. */
  readonly trials: Trials | null;
}

/** The rules of a game with all their words; undefined if there are none. */
export async function openRules(game: string): Promise<Opened | undefined> {
  const module = await loadGame(game);
  if (!module.rulebook) return undefined;
  const [book, trials] = await Promise.all([module.rulebook(), api.trials(game).catch(() => null), openBook('rules')]);
  await book.prepare();
  return { book, trials };
}
