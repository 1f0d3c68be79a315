import { inReadingOrder, type Square } from './cells';

/** Squares in reading order, pushed into the top left corner. */
export interface Shape {
  readonly squares: readonly Square[];
  readonly width: number;
  readonly height: number;
}

function shapeOf(squares: readonly Square[]): Shape {
  const left = Math.min(...squares.map(({ x }) => x));
  const top = Math.min(...squares.map(({ y }) => y));
  const moved = squares.map(({ x, y }) => ({ x: x - left, y: y - top })).sort(inReadingOrder);
  return {
    squares: moved,
    width: Math.max(...moved.map(({ x }) => x)) + 1,
    height: Math.max(...moved.map(({ y }) => y)) + 1,
  };
}

/** A shape from its drawing: `#` is a square, a line is a row. */
export function shapeFromDrawing(drawing: string): Shape {
  const squares = drawing
    .split('\n')
    .flatMap((row, y) => [...row].flatMap((sign, x) => (sign === '#' ? [{ x, y }] : [])));
  return shapeOf(squares);
}

/** A quarter turn clockwise. */
export function rotatedShape(shape: Shape): Shape {
  return shapeOf(shape.squares.map(({ x, y }) => ({ x: shape.height - 1 - y, y: x })));
}

/** Left becomes right. */
export function mirroredShape(shape: Shape): Shape {
  return shapeOf(shape.squares.map(({ x, y }) => ({ x: shape.width - 1 - x, y })));
}

export function sameShape(a: Shape, b: Shape): boolean {
  return sketch(a) === sketch(b);
}

/** The different turns of a shape, clockwise, the drawing first. */
export function rotationsOf(drawing: string): readonly Shape[] {
  return turnsFrom(shapeFromDrawing(drawing));
}

/** The different ways a shape can lie, turned and mirrored: the turns of the drawing first. */
export function orientationsOf(drawing: string): readonly Shape[] {
  const turns = rotationsOf(drawing);
  const others = turnsFrom(mirroredShape(shapeFromDrawing(drawing)));
  return [...turns, ...others.filter((other) => !turns.some((turn) => sameShape(turn, other)))];
}

/** The ways to hold a building: turned, and where the game allows it turned over. */
export function waysToHold(drawing: string, mirrors: boolean): readonly Shape[] {
  return mirrors ? orientationsOf(drawing) : rotationsOf(drawing);
}

function turnsFrom(shape: Shape): readonly Shape[] {
  const turns: Shape[] = [];
  for (let next = shape; !turns.some((turn) => sameShape(turn, next)); next = rotatedShape(next)) turns.push(next);
  return turns;
}

/** The square nearest to the middle of a shape: where one would take hold of it. */
export function gripSquare(shape: Shape): Square {
  const far = ({ x, y }: Square): number => Math.hypot(x + 0.5 - shape.width / 2, y + 0.5 - shape.height / 2);
  return shape.squares.reduce((best, square) => (far(square) < far(best) - 1e-9 ? square : best));
}

function sketch(shape: Shape): string {
  return shape.squares.map(({ x, y }) => `${x},${y}`).join(' ');
}
