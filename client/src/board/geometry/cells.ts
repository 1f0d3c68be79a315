/** The name of a cell: column letter and row number; `a1` is top left. */
export type Cell = string;

/** A square of the grid, counted from 0 at the top left. */
export interface Square {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const FIRST_COLUMN = 'a'.charCodeAt(0);

export function column(x: number): string {
  return String.fromCharCode(FIRST_COLUMN + x);
}

export function cellAt(x: number, y: number): Cell {
  return `${column(x)}${y + 1}`;
}

export function squareOf(cell: Cell): Square {
  return { x: cell.charCodeAt(0) - FIRST_COLUMN, y: Number(cell.slice(1)) - 1 };
}

export function onBoard({ x, y }: Square, { width, height }: Size): boolean {
  return x >= 0 && y >= 0 && x < width && y < height;
}

export function inReadingOrder(a: Square, b: Square): number {
  return a.y - b.y || a.x - b.x;
}
