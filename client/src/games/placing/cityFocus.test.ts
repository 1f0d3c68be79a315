import { beforeEach, expect, test } from 'vitest';
import { CityFocus } from './cityFocus.svelte';
import type { PlacingTable } from './table';

const table = {
  cities: [{ counted: { trees: ['a1'] } }, { counted: { trees: ['b2', 'c3'] } }],
} as unknown as PlacingTable;
let looking: CityFocus;

beforeEach(() => (looking = new CityFocus(() => ({ table, home: 0 }))));

test('my city is large until I visit another one', () => {
  expect([looking.shown, looking.atHome]).toEqual([0, true]);
  looking.visit(1);
  expect([looking.shown, looking.atHome]).toEqual([1, false]);
  looking.back();
  expect(looking.atHome).toBe(true);
});

test('a city that does not exist is not shown', () => {
  looking.visit(7);
  expect(looking.shown).toBe(0);
});

test('a line is lit while somebody points at it, or until somebody points again', () => {
  looking.light('trees', false);
  expect(looking.lit).toEqual(['a1']);
  looking.light(null, false);
  expect(looking.lit).toEqual([]);
  looking.light('trees', true);
  looking.light(null, false);
  expect(looking.line).toBe('trees');
  looking.light('trees', true);
  expect(looking.line).toBeNull();
});

test('who visits another city sees its cells only when asked again; who reaches for a button keeps them', () => {
  looking.light('trees', true);
  looking.visit(1);
  expect(looking.lit).toEqual([]);
  looking.light('trees', true);
  expect(looking.lit).toEqual(['b2', 'c3']);
  looking.comeHome();
  expect(looking.lit).toEqual(['a1']);
});
