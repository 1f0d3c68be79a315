import { expect, it } from 'vitest';
import { differences, wordsOf } from './vite.languages.ts';

it('finds nothing where every language says the same', () =>
  expect(differences({ 'en/a.json': ['x', 'y'], 'de/a.json': ['y', 'x'] })).toEqual([]));

it('names the words that a language lacks, and those that English lacks', () =>
  expect(differences({ 'en/a.json': ['x', 'y'], 'de/a.json': ['x', 'z'], 'en/b.json': ['w'] })).toEqual([
    'de/a.json lacks y',
    'en/a.json does not have z of de',
    'de/b.json lacks w',
  ]));

it('looks into books, too', () =>
  expect(differences({ 'en/books/a.json': ['x'], 'de/a.json': [], 'de/books/a.json': [] })).toEqual([
    'de/books/a.json lacks x',
  ]));

it('keeps the words of a language together, a book closed and an envelope sealed', () => {
  expect(wordsOf('/x/client/src/i18n/de/shell.json')).toBe('words-de');
  expect(wordsOf('/x/client/src/i18n/de/books/rules.json')).toBeNull();
  expect(wordsOf('/x/client/src/games/mycity/chapters/1/de.json')).toBeNull();
});
