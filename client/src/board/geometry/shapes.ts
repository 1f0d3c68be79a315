import { inReadingOrder, type Square } from './cells';

/** Squares in reading order, moved to the top left corner. */
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

/** Parses a drawing: `#` is a square, a line is a row. */
export function shapeFromDrawing(drawing: string): Shape {
  const squares = drawing
    .split('\n')
    .flatMap((row, y) => [...row].flatMap((sign, x) => (sign === '#' ? [{ x, y }] : [])));
  return shapeOf(squares);
}

/** Returns the shape after a quarter turn clockwise. */
export function rotatedShape(shape: Shape): Shape {
  return shapeOf(shape.squares.map(({ x, y }) => ({ x: shape.height - 1 - y, y: x })));
}

/** Returns the shape mirrored left to right. */
export function mirroredShape(shape: Shape): Shape {
  return shapeOf(shape.squares.map(({ x, y }) => ({ x: shape.width - 1 - x, y })));
}

export function sameShape(a: Shape, b: Shape): boolean {
  return sketch(a) === sketch(b);
}

/** Returns the different rotations of a shape, clockwise, starting with the drawing. */
export function rotationsOf(drawing: string): readonly Shape[] {
  return turnsFrom(shapeFromDrawing(drawing));
}

/** Returns the different orientations of a shape, rotated and mirrored; the rotations of the drawing come first. */
export function orientationsOf(drawing: string): readonly Shape[] {
  const turns = rotationsOf(drawing);
  const others = turnsFrom(mirroredShape(shapeFromDrawing(drawing)));
  return [...turns, ...others.filter((other) => !turns.some((turn) => sameShape(turn, other)))];
}

/** Returns the orientations that the game allows for a building: rotations, and with `mirrors` also mirror images. */
export function waysToHold(drawing: string, mirrors: boolean): readonly Shape[] {
  return mirrors ? orientationsOf(drawing) : rotationsOf(drawing);
}

function turnsFrom(shape: Shape): readonly Shape[] {
  const turns: Shape[] = [];
  for (let next = shape; !turns.some((turn) => sameShape(turn, next)); next = rotatedShape(next)) turns.push(next);
  return turns;
}

/** Returns the square nearest to the middle of a shape, at which a pointer holds it. */
export function gripSquare(shape: Shape): Square {
  const far = ({ x, y }: Square): number => Math.hypot(x + 0.5 - shape.width / 2, y + 0.5 - shape.height / 2);
  return shape.squares.reduce((best, square) => (far(square) < far(best) - 1e-9 ? square : best));
}

function sketch(shape: Shape): string {
  return shape.squares.map(({ x, y }) => `${x},${y}`).join(' ');
}
