import { expect, it } from 'vitest';
import { differences, wordsOf } from './vite.languages.ts';

it('finds no differences between equal languages', () =>
  expect(differences({ 'en/a.json': ['x', 'y'], 'de/a.json': ['y', 'x'] })).toEqual([]));

it('names the keys that a language lacks, and those that English lacks', () =>
  expect(differences({ 'en/a.json': ['x', 'y'], 'de/a.json': ['x', 'z'], 'en/b.json': ['w'] })).toEqual([
    'de/a.json lacks y',
    'en/a.json does not have z of de',
    'de/b.json lacks w',
  ]));

it('compares books, too', () =>
  expect(differences({ 'en/books/a.json': ['x'], 'de/a.json': [], 'de/books/a.json': [] })).toEqual([
    'de/books/a.json lacks x',
  ]));

it('puts the catalogues of a language in one chunk, and books and sealed chapters in their own', () => {
  expect(wordsOf('/x/client/src/i18n/de/shell.json')).toBe('words-de');
  expect(wordsOf('/x/client/src/i18n/de/books/rules.json')).toBeNull();
  expect(wordsOf('/x/client/src/games/mycity/chapters/1/de.json')).toBeNull();
});
