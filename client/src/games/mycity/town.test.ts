import { expect, test } from 'vitest';
import type { CityView, LegacyView, TableView } from '../../wire/mycity';
import { riversides } from '../building/shore';
import { buildingCards, drawingOf, forbiddenCards, justForbidden, terrainOf, townOf, winnersOf } from './town';

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
  progress: {},
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

test('who was first in a race is known by its cells', () => {
  expect(winnersOf(table, 'gold')).toEqual([1]);
  expect(winnersOf(table, 'forest')).toEqual([]);
});

test('the card after the blocking card was for nobody', () => {
  expect(forbiddenCards(table)).toEqual(['red-o4']);
  expect(justForbidden(table)).toBe('red-o4');
  expect(justForbidden({ ...table, revealed: ['blue-i2', 'red-i2'] })).toBeNull();
});

// . 1 ~
// r y .
const legacy: LegacyView = {
  circles: 0,
  nuggets: 0,
  stickers: {},
  gears: [],
  shafts: {},
  ticks: {},
  rewards: [],
  rows: ['.1.', 'ry1'],
  city: null,
  animal: null,
};
const late = {
  ...table,
  rows: ['.1~', 'ry.'],
  squares: ['a1', 'b1', 'c2'],
  shapes: { 'blue-i2': '##' },
  remaining: ['church-4th'],
  asks: 'building',
  over: false,
  episode: { at_once: { track: 1 }, counting: { dykes: -1 } },
  cities: [
    {
      ...city,
      rows: ['.1~', 'ry.'],
      fourth: '##\n##\n#.',
      factories: ['blue-i2'],
      pieces: [{ card: 'red-palace', cells: ['c2'] }],
      buildings: [...city.buildings, { card: 'yellow-kiosk', cells: ['c1'] }, { card: 'yellow-kiosk', cells: ['a2'] }],
      investor: ['a1', 'b1'],
      counted: { parks: ['b2'] },
      legacy,
    },
  ],
} as unknown as TableView;

test('a town shows what lies there from the start, its factories, and kiosks one by one', () => {
  const town = townOf(late, 0);
  expect(town.terrain).toEqual([
    ['meadow', 'tree', 'water'],
    ['rocks', 'yellow-entrance', 'meadow'],
  ]);
  expect(town.bodies.map(({ id, kind, roof }) => [id, kind, roof])).toEqual([
    ['red-palace@c2', 'public', 'palace'],
    ['blue-i2@a1', 'industrial', 'factory'],
    ['yellow-kiosk@c1', 'residential', 'kiosk'],
    ['yellow-kiosk@a2', 'residential', 'kiosk'],
  ]);
  expect([town.track, town.dykes, town.parks, town.investor]).toEqual([true, true, ['b2'], ['a1', 'b1']]);
  expect(town.squares).toEqual(['a1', 'c2']);
});

test('while rewards are placed the board is cleared and above the water', () => {
  const town = townOf({ ...late, asks: 'reward' }, 0);
  expect(town.terrain).toEqual([
    ['meadow', 'tree', 'meadow'],
    ['rocks', 'yellow-entrance', 'tree'],
  ]);
  expect(town.bodies.map(({ card }) => card)).toEqual(['red-palace']);
  expect([town.parks, town.investor, town.dykes]).toEqual([[], [], false]);
});

test('the fourth church has the shape of its owner', () => {
  expect(buildingCards(late)).toEqual(['blue-i2', 'church-4th']);
  expect(drawingOf(late, 0, 'church-4th')).toBe('##\n##\n#.');
  expect(drawingOf(late, 0, 'blue-i2')).toBe('##');
});
