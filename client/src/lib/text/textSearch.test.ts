import { expect, it } from 'vitest';
import { highlightMatches, matchesSearch } from './textSearch';

it('finds all words, in any order and without accents', () => {
  expect(matchesSearch('Une église vaut 3 points', 'points eglise')).toBe(true);
  expect(matchesSearch('Une église vaut 3 points', 'puits')).toBe(false);
  expect(matchesSearch('anything', ' ')).toBe(true);
});

it('marks matches', () => {
  expect(highlightMatches('A church has no colour.', 'church')).toEqual([
    ['A ', false],
    ['church', true],
    [' has no colour.', false],
  ]);
  expect(highlightMatches('A church', '')).toEqual([['A church', false]]);
});

it('marks words with accents', () =>
  expect(highlightMatches('une église', 'eglise').filter(([, found]) => found)).toEqual([['église', true]]));
