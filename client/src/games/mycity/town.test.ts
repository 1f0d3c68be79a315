import { expect, test } from 'vitest';
import type { CityView, TableView } from '../../wire/mycity';
import { riversides } from '../building/shore';
import { forbiddenCards, goldWinners, justForbidden, terrainOf, veinsCovered } from './town';

const city: CityView = {
  buildings: [{ card: 'blue-i2', cells: ['a1', 'b1'] }],
  marker: 10,
  passes: 0,
  stopped: false,
  counted: {},
  rows: [],
  pieces: [],
  fourth: null,
  factories: [],
  gone: [],
  kiosks: 0,
  investor: [],
  legacy: null,
};

const table = {
  rows: ['g.r', '2Wg', '^#.'],
  river: [
    [1, 0],
    [1, 2],
    [2, 2],
    [2, 3],
  ],
  revealed: ['blue-i2', 'block', 'red-o4', 'yellow-t4'],
  cities: [city, { ...city, counted: { gold: ['a1', 'c2'] } }],
} as unknown as TableView;

test('signs become grounds', () => {
  expect(terrainOf(table.rows)).toEqual([
    ['gold', 'meadow', 'rocks'],
    ['trees', 'well', 'gold'],
    ['mountain', 'forest', 'meadow'],
  ]);
});

test('cells know on which sides the river runs', () => {
  // a|b c
  // a|b c
  // a b|c   with the river below b2
  const sides = riversides(table.river);
  expect(sides.get('a1')).toEqual(['right']);
  expect(sides.get('b2')).toEqual(['left', 'bottom']);
  expect(sides.get('b3')).toEqual(['top', 'right']);
  expect(sides.get('c1')).toBeUndefined();
});

test('the race for gold counts veins that are built over', () => {
  expect(veinsCovered(table, city)).toBe(1);
  expect(goldWinners(table)).toEqual([1]);
});

test('the card after the blocking card was for nobody', () => {
  expect(forbiddenCards(table)).toEqual(['red-o4']);
  expect(justForbidden(table)).toBe('red-o4');
  expect(justForbidden({ ...table, revealed: ['blue-i2', 'red-i2'] })).toBeNull();
});
