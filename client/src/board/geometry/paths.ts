import { cellAt, squareOf, type Cell } from './cells';

/** The side of a cell in drawing units. */
export const SIDE = 100;

export type Point = readonly [x: number, y: number];

interface Rounding {
  readonly radius: number;
  readonly closed: boolean;
}

/** Returns a path along right angles with rounded bends. */
export function roundedPath(points: readonly Point[], { radius, closed }: Rounding): string {
  const count = points.length;
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const here = points[i]!;
    if (!closed && (i === 0 || i === count - 1)) {
      parts.push(`${i === 0 ? 'M' : 'L'}${at(here)}`);
      continue;
    }
    const before = points[(i + count - 1) % count]!;
    const after = points[(i + 1) % count]!;
    const r = Math.min(radius, distance(before, here) / 2, distance(here, after) / 2);
    const sweep = cross(before, here, after) > 0 ? 1 : 0;
    parts.push(`${i === 0 ? 'M' : 'L'}${at(toward(here, before, r))}`);
    parts.push(`A${formatCoordinate(r)} ${formatCoordinate(r)} 0 0 ${sweep} ${at(toward(here, after, r))}`);
  }
  return parts.join('') + (closed ? 'Z' : '');
}

/** Returns the ribbon of a river through corners of the grid; its ends extend `beyond` the border. */
export function riverPath(corners: readonly Point[], radius: number, beyond: number): string {
  const points = corners.map(([x, y]): Point => [x * SIDE, y * SIDE]);
  const first = points[0];
  const second = points[1];
  const last = points.at(-1);
  const lastButOne = points.at(-2);
  if (!first || !second || !last || !lastButOne) return '';
  const ends = [toward(first, second, -beyond), toward(last, lastButOne, -beyond)] as const;
  return roundedPath([ends[0], ...points.slice(1, -1), ends[1]], { radius, closed: false });
}

/**
 * Returns the borders of a set of cells as closed rings of corners; outer rings run clockwise, holes
 * counter-clockwise.
 */
export function boundaryRings(cells: readonly Cell[]): readonly (readonly Point[])[] {
  const set = new Set(cells);
  const has = (x: number, y: number): boolean => set.has(cellAt(x, y));
  const from = new Map<string, Point[]>();
  const side = (a: Point, b: Point): void => void from.set(a.join(), [...(from.get(a.join()) ?? []), b]);
  for (const { x, y } of cells.map(squareOf)) {
    if (!has(x, y - 1)) side([x, y], [x + 1, y]);
    if (!has(x + 1, y)) side([x + 1, y], [x + 1, y + 1]);
    if (!has(x, y + 1)) side([x + 1, y + 1], [x, y + 1]);
    if (!has(x - 1, y)) side([x, y + 1], [x, y]);
  }
  const rings: Point[][] = [];
  while (from.size > 0) rings.push(follow(from));
  return rings.map(withoutStraights);
}

/** Removes one ring from the sides. Where two cells meet only at a corner, the ring stays at its own cell. */
function follow(from: Map<string, Point[]>): Point[] {
  const start = [...from.keys()][0]!.split(',').map(Number) as unknown as Point;
  const ring: Point[] = [];
  let before: Point | null = null;
  let here: Point = start;
  do {
    ring.push(here);
    const ways: Point[] = from.get(here.join()) ?? [];
    const straightFrom: Point | null = before;
    const at: Point = here;
    const right = straightFrom ? ways.findIndex((way) => cross(straightFrom, at, way) > 0) : 0;
    const [next] = ways.splice(Math.max(right, 0), 1);
    if (ways.length === 0) from.delete(here.join());
    if (!next) break;
    before = here;
    here = next;
  } while (here.join() !== start.join());
  return ring;
}

function withoutStraights(ring: readonly Point[]): readonly Point[] {
  return ring.filter((point, i) => cross(ring.at(i - 1)!, point, ring[(i + 1) % ring.length]!) !== 0);
}

/** Returns one outline around adjacent cells, inset from their border. */
export function outline(cells: readonly Cell[], inset: number, radius: number): string {
  return borders(cells, inset)
    .map((ring) => roundedPath(ring, { radius, closed: true }))
    .join('');
}

/** Returns the corners of the borders of cells, inset from them. */
export function borders(cells: readonly Cell[], inset: number): readonly (readonly Point[])[] {
  return boundaryRings(cells).map((ring) => ring.map((_, i) => inside(ring, i, inset)));
}

function inside(ring: readonly Point[], i: number, inset: number): Point {
  const [x, y] = ring[i]!;
  const [ax, ay] = direction(ring.at(i - 1)!, ring[i]!);
  const [bx, by] = direction(ring[i]!, ring[(i + 1) % ring.length]!);
  return [x * SIDE - inset * (ay + by), y * SIDE + inset * (ax + bx)];
}

/** Returns lines between the middles of neighbouring cells: the ridge of a roof. */
export function ridge(cells: readonly Cell[]): string {
  const set = new Set(cells);
  return cells
    .map(squareOf)
    .flatMap(({ x, y }) => {
      const middle = `M${x * SIDE + SIDE / 2} ${y * SIDE + SIDE / 2}`;
      const right = set.has(cellAt(x + 1, y)) ? [`${middle}h${SIDE}`] : [];
      const down = set.has(cellAt(x, y + 1)) ? [`${middle}v${SIDE}`] : [];
      return [...right, ...down];
    })
    .join('');
}

/** Returns a toothed wheel around a point. */
export function cog([x, y]: Point, radius: number, teeth = 9): string {
  const corner = (tooth: number, share: number, from: number): string => {
    const angle = ((tooth + share) / teeth) * 2 * Math.PI;
    return `${formatCoordinate(x + from * Math.sin(angle))} ${formatCoordinate(y - from * Math.cos(angle))}`;
  };
  const inner = radius * 0.8;
  const cogTooth = (_: unknown, tooth: number): string =>
    [
      corner(tooth, -0.28, inner),
      corner(tooth, -0.18, radius),
      corner(tooth, 0.18, radius),
      corner(tooth, 0.28, inner),
    ].join('L');
  return `M${Array.from({ length: teeth }, cogTooth).join('L')}Z`;
}

/** Returns the cell that is nearest to the middle of these cells. */
export function centralCell(cells: readonly Cell[]): Cell {
  const squares = cells.map(squareOf);
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(squares.map((square) => square.x));
  const y = mean(squares.map((square) => square.y));
  const far = (square: { x: number; y: number }): number => Math.hypot(square.x - x, square.y - y);
  const best = squares.reduce((nearest, square) => (far(square) < far(nearest) - 1e-9 ? square : nearest));
  return cellAt(best.x, best.y);
}

export function formatCoordinate(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function at([x, y]: Point): string {
  return `${formatCoordinate(x)} ${formatCoordinate(y)}`;
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function direction(a: Point, b: Point): Point {
  return [Math.sign(b[0] - a[0]), Math.sign(b[1] - a[1])];
}

function toward(a: Point, b: Point, by: number): Point {
  const [dx, dy] = direction(a, b);
  return [a[0] + dx * by, a[1] + dy * by];
}

function cross(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}
