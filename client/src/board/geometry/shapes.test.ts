import { expect, test } from 'vitest';
import {
  shapeFromDrawing,
  gripSquare,
  mirroredShape,
  orientationsOf,
  rotatedShape,
  rotationsOf,
  type Shape,
} from './shapes';

function drawing({ squares, width, height }: Shape): string {
  const has = (x: number, y: number): boolean => squares.some((square) => square.x === x && square.y === y);
  return Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => (has(x, y) ? '#' : '.')).join(''),
  ).join('\n');
}

test('a quarter turn goes clockwise', () => {
  expect(drawing(rotatedShape(shapeFromDrawing('#..\n###')))).toBe('##\n#.\n#.');
});

test('rotationsOf returns only different rotations', () => {
  const count = (shape: string): number => rotationsOf(shape).length;
  expect(count('####')).toBe(2);
  expect(count('##\n##')).toBe(1);
  expect(count('.#.\n###')).toBe(4);
  expect(count('.##\n##.')).toBe(2);
  expect(count('#..\n###')).toBe(4);
  expect(count('###\n#.#')).toBe(4);
  expect(count('##')).toBe(2);
  expect(count('#.\n##')).toBe(4);
});

test('rotationsOf returns no mirror images', () => {
  const turns = rotationsOf('#..\n###').map(drawing);
  expect(turns).toEqual(['#..\n###', '##\n#.\n#.', '###\n..#', '.#\n.#\n##']);
  expect(turns).not.toContain('..#\n###');
});

test('four quarter turns restore the shape', () => {
  const shape = shapeFromDrawing('###\n#.#');
  expect(rotatedShape(rotatedShape(rotatedShape(rotatedShape(shape))))).toEqual(shape);
});

test('gripSquare returns the middle of a shape', () => {
  expect(gripSquare(shapeFromDrawing('.#.\n###'))).toEqual({ x: 1, y: 0 });
  expect(gripSquare(shapeFromDrawing('###\n#.#'))).toEqual({ x: 1, y: 0 });
});

test('mirroredShape swaps left and right', () => {
  expect(drawing(mirroredShape(shapeFromDrawing('#..\n###')))).toBe('..#\n###');
  expect(mirroredShape(mirroredShape(shapeFromDrawing('#..\n###')))).toEqual(shapeFromDrawing('#..\n###'));
});

test('orientationsOf returns only different orientations', () => {
  const count = (shape: string): number => orientationsOf(shape).length;
  expect(count('#')).toBe(1);
  expect(count('####')).toBe(2);
  expect(count('#.\n##')).toBe(4);
  expect(count('#.#\n###')).toBe(4);
  expect(count('.#.\n###\n.#.')).toBe(1);
  expect(count('#..\n###')).toBe(8);
  expect(orientationsOf('#..\n###').slice(0, 4)).toEqual(rotationsOf('#..\n###'));
});
