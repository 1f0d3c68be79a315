import { addMessages, type Messages } from './index.svelte';

/** A book is a file of `<language>/books/`: texts that are loaded on demand, each in its own chunk. */
const FILES = import.meta.glob<Messages>('./*/books/*.json', { import: 'default' });

/** The names of all books. */
export const BOOKS: readonly string[] = Object.keys(FILES).flatMap(
  (path) => /^\.\/en\/books\/(.+)\.json$/.exec(path)?.[1] ?? [],
);

const opening = new Map<string, Promise<void>>();

/** Loads the texts of a book in the current language, and in each later one. */
export function openBook(book: string): Promise<void> {
  const known = opening.get(book);
  if (known) return known;
  const coming = addMessages((language) => FILES[`./${language}/books/${book}.json`]?.() ?? Promise.resolve({}));
  opening.set(book, coming);
  coming.catch(() => opening.delete(book)); // the next call tries again
  return coming;
}
