import { addMessages, type Messages } from './index.svelte';

/** Words that are only read when somebody wants them: a file of `<language>/books/`, a part of its own in the browser. */
const FILES = import.meta.glob<Messages>('./*/books/*.json', { import: 'default' });

/** The books that there are. */
export const BOOKS: readonly string[] = Object.keys(FILES).flatMap(
  (path) => /^\.\/en\/books\/(.+)\.json$/.exec(path)?.[1] ?? [],
);

const opening = new Map<string, Promise<void>>();

/** Brings the words of a book, in the language spoken now and in every one spoken later. */
export function openBook(book: string): Promise<void> {
  const known = opening.get(book);
  if (known) return known;
  const coming = addMessages((language) => FILES[`./${language}/books/${book}.json`]?.() ?? Promise.resolve({}));
  opening.set(book, coming);
  coming.catch(() => opening.delete(book)); // whoever asks again may have more luck
  return coming;
}
