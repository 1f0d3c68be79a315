/** An area of the screen. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export type Direction = 'left' | 'right' | 'up' | 'down';

export const DIRECTIONS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** Returns the middle of a box, rotated so that the direction points to the right. */
function middle({ left, top, right, bottom }: Box, way: Direction): readonly [along: number, across: number] {
  const [x, y] = [(left + right) / 2, (top + bottom) / 2];
  if (way === 'left') return [-x, y];
  if (way === 'right') return [x, y];
  return way === 'up' ? [-y, x] : [y, x];
}

/** Returns the index of the nearest box in a direction; boxes straight ahead are preferred. */
export function nearestBox(from: Box, others: readonly Box[], way: Direction): number {
  const [along, across] = middle(from, way);
  let nearest = -1;
  let shortest = Infinity;
  others.forEach((other, at) => {
    const [there, aside] = middle(other, way);
    const ahead = there - along;
    if (ahead < 2) return;
    const far = ahead + 2.5 * Math.abs(aside - across);
    if (far < shortest) [nearest, shortest] = [at, far];
  });
  return nearest;
}

export function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
