import { cellAt, squareOf, type Cell } from '../../../board/geometry/cells';
import { borders, formatCoordinate, SIDE, type Point } from '../../../board/geometry/paths';
import { pseudoRandom } from '../../../board/geometry/pseudoRandom';

/** Largest deviation of a hand-drawn line, in drawing units. */
const STRAY = 2.6;
const OVER = 3;

/** Returns a pencil stroke between two points: not quite straight, and a little too long. */
export function stroke([ax, ay]: Point, [bx, by]: Point, salt: number): string {
  const length = Math.hypot(bx - ax, by - ay) || 1;
  const [dx, dy] = [(bx - ax) / length, (by - ay) / length];
  const stray = (n: number): number =>
    (pseudoRandom(Math.round(ax + bx), Math.round(ay + by), salt * 7 + n) - 0.5) * 2 * STRAY;
  const bow = stray(1) * (0.6 + length / 260);
  const from = [ax - dx * OVER + stray(2) * 0.5, ay - dy * OVER + stray(3) * 0.5];
  const to = [bx + dx * OVER + stray(4) * 0.5, by + dy * OVER + stray(5) * 0.5];
  const bend = [(ax + bx) / 2 - dy * bow * 2, (ay + by) / 2 + dx * bow * 2];
  const at = (point: readonly number[]): string => point.map(formatCoordinate).join(' ');
  return `M${at(from)}Q${at(bend)} ${at(to)}`;
}

/** Returns the hand-drawn outline of a building, side by side. */
export function sketchPath(cells: readonly Cell[], inset: number, salt: number): string {
  return borders(cells, inset)
    .flatMap((ring) => ring.map((corner, i) => stroke(corner, ring[(i + 1) % ring.length]!, salt)))
    .join('');
}

/** Returns slanting strokes over all cells. */
export function hatchPath(cells: readonly Cell[], inset: number, gap: number): string {
  return fields(cells, inset)
    .flatMap(({ left, top, right, bottom }) => {
      const first = Math.ceil((left + top) / gap) * gap;
      return steps(first, right + bottom, gap).map((sum) => {
        const low: Point = [Math.max(left, sum - bottom), Math.min(bottom, sum - left)];
        const high: Point = [Math.min(right, sum - top), Math.max(top, sum - right)];
        return high[0] - low[0] < 6 ? '' : stroke(low, high, 3);
      });
    })
    .join('');
}

/** Returns a cross in every cell. */
export function crossPath(cells: readonly Cell[], inset: number): string {
  return fields(cells, inset)
    .map(
      ({ left, top, right, bottom }) =>
        stroke([left + 6, top + 6], [right - 6, bottom - 6], 4) +
        stroke([right - 6, top + 6], [left + 6, bottom - 6], 5),
    )
    .join('');
}

interface Field {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Returns the fields of the cells of a building, inset at its border. */
function fields(cells: readonly Cell[], inset: number): readonly Field[] {
  const set = new Set(cells);
  return cells.map(squareOf).map(({ x, y }) => {
    const end = (dx: number, dy: number): number => (set.has(cellAt(x + dx, y + dy)) ? 0 : inset);
    return {
      left: x * SIDE + end(-1, 0),
      top: y * SIDE + end(0, -1),
      right: (x + 1) * SIDE - end(1, 0),
      bottom: (y + 1) * SIDE - end(0, 1),
    };
  });
}

function steps(from: number, to: number, by: number): readonly number[] {
  return Array.from({ length: Math.max(0, Math.ceil((to - from) / by)) }, (_, i) => from + i * by);
}
