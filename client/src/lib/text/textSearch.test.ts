import { expect, it } from 'vitest';
import { marked, matches } from './textSearch';

it('finds every word, in any order and without accents', () => {
  expect(matches('Une église vaut 3 points', 'points eglise')).toBe(true);
  expect(matches('Une église vaut 3 points', 'puits')).toBe(false);
  expect(matches('anything', ' ')).toBe(true);
});

it('marks what was found', () => {
  expect(marked('A church has no colour.', 'church')).toEqual([
    ['A ', false],
    ['church', true],
    [' has no colour.', false],
  ]);
  expect(marked('A church', '')).toEqual([['A church', false]]);
});

it('marks words with accents, too', () =>
  expect(marked('une église', 'eglise').filter(([, found]) => found)).toEqual([['église', true]]));
