import { expect, test } from 'vitest';
import { rotationsOf } from '../geometry/shapes';
import { cellNames, Placements, squaresUnder } from './placements';

const turns = rotationsOf('#.\n##');
//  abc
// 1 ..      the corner piece, three ways to lie
// 2 ...
const choices = [{ cells: ['a1', 'a2', 'b2'] }, { cells: ['b2', 'b3', 'c3'] }, { cells: ['a1', 'b1', 'a2'] }];
const places = new Placements(choices, turns);

test('each choice is a place with its orientation and its corner', () => {
  expect(places.all.map(({ turn, x, y }) => [turn, x, y])).toEqual([
    [0, 0, 0],
    [0, 1, 1],
    [1, 0, 0],
  ]);
});

test('a choice that is not an orientation of the piece is ignored', () => {
  expect(new Placements([{ cells: ['a1', 'b1', 'c1'] }], turns).all).toEqual([]);
});

test('finds a place by its orientation and corner', () => {
  expect(places.at(0, { x: 1, y: 1 })?.choice).toBe(choices[1]);
  expect(places.at(2, { x: 1, y: 1 })).toBeUndefined();
});

test('a dropped piece slides to the nearest place within reach', () => {
  expect(places.nearest(0, { x: 0.8, y: 0.9 }, 0.75)?.choice).toBe(choices[1]);
  expect(places.nearest(0, { x: 5, y: 5 }, 0.75)).toBeUndefined();
});

test('sorts the places that cover a cell by orientation, then by distance', () => {
  const ways = (cell: string, turn: number, x: number, y: number): number[] =>
    places.covering(cell, turn, { x, y }).map(({ choice }) => choices.indexOf(choice));
  expect(ways('b2', 0, 1.1, 1.1)).toEqual([0, 1]);
  expect(ways('b2', 0, 1.9, 1.9)).toEqual([1, 0]);
  expect(ways('a1', 0, 0.5, 0.5)).toEqual([0, 2]);
  expect(ways('a1', 1, 0.5, 0.5)).toEqual([2, 0]);
  expect(ways('k9', 0, 0.5, 0.5)).toEqual([]);
});

test('lists all cells that a piece may cover', () => {
  expect([...places.cells].sort()).toEqual(['a1', 'a2', 'b1', 'b2', 'b3', 'c3']);
});

test('names the cells under a piece in reading order', () => {
  expect(cellNames(squaresUnder(turns[0]!, { x: 2, y: 3 }))).toEqual(['c4', 'c5', 'd5']);
});
