import { beforeEach, expect, test } from 'vitest';
import { orientationsOf, rotationsOf } from '../geometry/shapes';
import { HeldPiece } from './heldPiece.svelte';

const SIZE = { width: 4, height: 4 };
const turns = rotationsOf('##');
// The pair may lie on these places of a board of 4 by 4:
//   a b c d
// 1 # # # .     a1 b1, b1 c1
// 2 # . . .     a1 a2
const choices = [{ cells: ['a1', 'b1'] }, { cells: ['b1', 'c1'] }, { cells: ['a1', 'a2'] }];
let hand: HeldPiece<{ cells: string[] }>;

beforeEach(() => {
  hand = new HeldPiece();
  hand.take(turns, choices, SIZE);
});

test('a tap lays the piece on the nearest legal place', () => {
  expect(hand.tap('b1', { x: 1.9, y: 0.5 })).toBe(true);
  expect(hand.place?.choice).toBe(choices[1]);
});

test('repeated taps cycle through all places there', () => {
  const seen = [1, 2, 3].map(() => {
    hand.tap('a1', { x: 0.5, y: 0.5 });
    return hand.place?.choice;
  });
  expect(seen).toEqual([choices[0], choices[2], choices[0]]);
});

test('a tap rotates the piece if its orientation has no place there', () => {
  expect(hand.tap('a2', { x: 0.5, y: 1.5 })).toBe(true);
  expect(hand.turn).toBe(1);
  expect(hand.place?.choice).toBe(choices[2]);
});

test('a tap without any place changes nothing', () => {
  expect(hand.tap('d4', { x: 3.5, y: 3.5 })).toBe(false);
  expect(hand.spot).toBeNull();
});

test('a tap beside the piece moves it to another place', () => {
  hand.tap('a1', { x: 0.9, y: 0.5 });
  hand.tap('b1', { x: 0.9, y: 0.5 });
  expect(hand.place?.choice).toBe(choices[1]);
});

test('the arrow keys also move the piece to illegal places, marked as such', () => {
  hand.aim('d4');
  expect(hand.shownCells).toEqual(['c4', 'd4']);
  expect(hand.place).toBeUndefined();
  expect(hand.shownChoice).toBeNull();
  hand.aim('c1');
  expect(hand.place?.choice).toBe(choices[1]);
});

test('a rotation on the board keeps the piece over the same cell', () => {
  hand.tap('a1', { x: 0.5, y: 0.5 });
  hand.rotate(1);
  expect(hand.place?.choice).toBe(choices[2]);
  hand.rotate(-1);
  expect(hand.place?.choice).toBe(choices[0]);
});

test('the piece keeps its orientation in the hand', () => {
  hand.rotate(1);
  hand.tap('a1', { x: 0.5, y: 0.5 });
  hand.putBack();
  expect(hand.spot).toBeNull();
  expect(hand.turn).toBe(1);
});

test('a mouse over the board shows where a click would lay it', () => {
  hand.hover('b1', { x: 1.2, y: 0.5 });
  expect(hand.shownChoice).toBe(choices[0]);
  expect(hand.place).toBeUndefined();
  hand.unhover();
  expect(hand.shown).toBeNull();
});

test('a piece dropped near a place slides there', () => {
  hand.drag({ x: 1.4, y: 0.3 });
  expect(hand.shownChoice).toBe(choices[1]);
  expect(hand.drop()).toEqual({ type: 'laid' });
  expect(hand.place?.choice).toBe(choices[1]);
});

test('a piece dropped elsewhere on the board is refused and returns to the hand', () => {
  hand.drag({ x: 1.2, y: 2.1 });
  expect(hand.drop()).toEqual({
    type: 'refused',
    squares: [
      { x: 1, y: 2 },
      { x: 2, y: 2 },
    ],
  });
  expect(hand.spot).toBeNull();
});

test('a piece dropped outside of the board returns to the hand without a refusal', () => {
  hand.drag({ x: 8, y: 2 });
  expect(hand.drop()).toEqual({ type: 'back' });
});

test('a rotation during a drag keeps the middle of the piece', () => {
  hand.drag({ x: 1, y: 2 });
  hand.rotate(1);
  expect(hand.dragged).toEqual({ x: 1.5, y: 1.5 });
});

test('new choices for the same piece keep its position', () => {
  hand.tap('a1', { x: 0.5, y: 0.5 });
  hand.offer([]);
  expect(hand.spot).toEqual({ x: 0, y: 0 });
  expect(hand.place).toBeUndefined();
});

test('a piece whose mirror image is not a rotation can be mirrored, over the same cell', () => {
  const both = [{ cells: ['a1', 'a2', 'b2', 'c2'] }, { cells: ['c1', 'a2', 'b2', 'c2'] }];
  hand.take(orientationsOf('#..\n###'), both, SIZE);
  expect(hand.mirrorable).toBe(true);
  hand.tap('b2', { x: 1.5, y: 1.5 });
  expect(hand.place?.choice).toBe(both[0]);
  hand.mirror();
  expect(hand.place?.choice).toBe(both[1]);
  hand.mirror();
  expect(hand.place?.choice).toBe(both[0]);
  [1, 2, 3, 4].forEach(() => hand.rotate(1));
  expect(hand.place?.choice).toBe(both[0]);
});

test('a piece is not mirrorable if its mirror image is a rotation or the game does not mirror', () => {
  hand.take(orientationsOf('#.\n##'), [], SIZE);
  expect(hand.mirrorable).toBe(false);
  hand.take(rotationsOf('#..\n###'), [], SIZE);
  expect(hand.mirrorable).toBe(false);
  hand.mirror();
  expect(hand.turn).toBe(0);
  hand.take(rotationsOf('##\n##'), [], SIZE);
  expect(hand.turnable).toBe(false);
});
