import { cellAt, type Cell } from '../../../board/geometry/cells';
import type { Point } from '../../../board/geometry/paths';

export type Side = 'top' | 'right' | 'bottom' | 'left';

/** Returns the sides of each cell that lie along the river. */
export function riverSides(river: readonly Point[]): ReadonlyMap<Cell, readonly Side[]> {
  const sides = new Map<Cell, Side[]>();
  const note = (x: number, y: number, side: Side): void =>
    void sides.set(cellAt(x, y), [...(sides.get(cellAt(x, y)) ?? []), side]);
  river.slice(1).forEach(([x, y], i) => {
    const [ax, ay] = river[i]!;
    for (let row = Math.min(y, ay); row < Math.max(y, ay); row++) {
      note(x - 1, row, 'right');
      note(x, row, 'left');
    }
    for (let column = Math.min(x, ax); column < Math.max(x, ax); column++) {
      note(column, y - 1, 'bottom');
      note(column, y, 'top');
    }
  });
  return sides;
}
