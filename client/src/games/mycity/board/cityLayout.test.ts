import { expect, test } from 'vitest';
import type { BuildingView, CardView, CityView, LegacyView, TableView } from '../../../wire/mycity';
import { riverSides } from '../../placing/boards/riverEdges';
import { cardNamed, drawingOf, terrainOf, cityLayoutOf, winnersOf } from './cityLayout';

const signs: TableView['signs'] = { '.': 'meadow', '1': 'tree', '~': 'water', r: 'rocks', y: 'yellow-entrance' };
const factory: BuildingView = { card: 'blue-i2', cells: ['a1', 'b1'], kind: 'industrial', roof: 'factory' };
const palace: BuildingView = { card: 'red-palace', cells: ['c2'], kind: 'public', roof: 'palace' };
const kiosk = (cell: string): BuildingView => ({
  card: 'yellow-kiosk',
  cells: [cell],
  kind: 'residential',
  roof: 'kiosk',
});
const church: BuildingView = { card: 'church-t4', cells: ['b2'], kind: 'church', roof: null };

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
  squares: ['a1'],
  city: null,
  animal: null,
};
const city: CityView = {
  buildings: [factory, church, kiosk('c1'), kiosk('a2')],
  marker: 10,
  open: 0,
  passes: 0,
  stopped: false,
  counted: {},
  rows: ['.1~', 'ry.'],
  pieces: [palace],
  fourth: '##\n##\n#.',
  factories: ['blue-i2'],
  gone: [],
  kiosks: 0,
  investor: ['a1', 'b1'],
  parks: ['b2'],
  dykes: ['a1'],
  squares: ['a1', 'c2'],
  progress: {},
  won: ['gold'],
  rank: 'first',
  legacy,
};
const pair: CardView = {
  card: 'blue-i2',
  kind: 'industrial',
  shape: 'i2',
  drawing: '##',
  takes_gear: true,
  roof: null,
};
const fourth: CardView = { ...pair, card: 'church-4th', kind: 'church', drawing: null };
const table = {
  signs,
  cards: [pair, fourth],
  track: ['a2', 'b2', 'c2'],
  cleared: false,
  cities: [{ ...city, won: [] }, city],
} as unknown as TableView;

test('maps signs to grounds with the outline of the server', () => {
  expect(terrainOf(['.1~', 'r?.'], signs)).toEqual([
    ['meadow', 'tree', 'water'],
    ['rocks', 'meadow', 'meadow'],
  ]);
});

test('riverSides returns the sides of cells along the river', () => {
  // a|b c
  // a|b c
  // a b|c   with the river below b2
  const sides = riverSides([
    [1, 0],
    [1, 2],
    [2, 2],
    [2, 3],
  ]);
  expect(sides.get('a1')).toEqual(['right']);
  expect(sides.get('b2')).toEqual(['left', 'bottom']);
  expect(sides.get('b3')).toEqual(['top', 'right']);
  expect(sides.get('c1')).toBeUndefined();
});

test('winnersOf returns the winners of a race', () => {
  expect(winnersOf(table, 'gold')).toEqual([1]);
  expect(winnersOf(table, 'forest')).toEqual([]);
});

test('cityLayoutOf contains initial buildings, roofs, and separate kiosks', () => {
  const town = cityLayoutOf(table, 0);
  expect(town.terrain).toEqual([
    ['meadow', 'tree', 'water'],
    ['rocks', 'yellow-entrance', 'meadow'],
  ]);
  expect(town.bodies.map(({ id, kind, roof }) => [id, kind, roof])).toEqual([
    ['red-palace@c2', 'public', 'palace'],
    ['blue-i2@a1', 'industrial', 'factory'],
    ['church-t4@b2', 'church', undefined],
    ['yellow-kiosk@c1', 'residential', 'kiosk'],
    ['yellow-kiosk@a2', 'residential', 'kiosk'],
  ]);
  expect([town.track, town.dykes, town.parks, town.investor]).toEqual([
    ['a2', 'b2', 'c2'],
    ['a1'],
    ['b2'],
    ['a1', 'b1'],
  ]);
  expect(town.squares).toEqual(['a1', 'c2']);
});

test('the board is cleared and not flooded while rewards are placed', () => {
  const town = cityLayoutOf({ ...table, cleared: true }, 0);
  expect(town.terrain).toEqual([
    ['meadow', 'tree', 'meadow'],
    ['rocks', 'yellow-entrance', 'tree'],
  ]);
  expect(town.bodies.map(({ card }) => card)).toEqual(['red-palace']);
  expect(town.squares).toEqual(['a1']);
});

test("the fourth church has the shape from its owner's campaign", () => {
  expect(cardNamed(table, 'block')).toBeUndefined();
  expect(drawingOf(table, 0, fourth)).toBe('##\n##\n#.');
  expect(drawingOf(table, 0, pair)).toBe('##');
});
