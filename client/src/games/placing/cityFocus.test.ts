import { beforeEach, expect, test } from 'vitest';
import { CityFocus } from './cityFocus.svelte';
import type { PlacingTable } from './table';

const table = {
  cities: [{ counted: { trees: ['a1'] } }, { counted: { trees: ['b2', 'c3'] } }],
} as unknown as PlacingTable;
let looking: CityFocus;

beforeEach(() => (looking = new CityFocus(() => ({ table, home: 0 }))));

test('the own city is large until another one is visited', () => {
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

test('a line is highlighted while it is pointed at, or while it is pinned', () => {
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

test('a visit clears the highlighted line; the return for a button keeps it', () => {
  looking.light('trees', true);
  looking.visit(1);
  expect(looking.lit).toEqual([]);
  looking.light('trees', true);
  expect(looking.lit).toEqual(['b2', 'c3']);
  looking.comeHome();
  expect(looking.lit).toEqual(['a1']);
});
