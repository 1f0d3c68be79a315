import { cellAt, type Cell } from '../geometry/cells';
import { formatCoordinate, outline, SIDE } from '../geometry/paths';
import { pseudoRandom } from '../geometry/pseudoRandom';
import type { Ground, Terrain } from './terrain';

/** The paths that draw the ground of a board. They depend only on the terrain. */
export interface Landscape {
  readonly grass: string;
  readonly grid: string;
  readonly forest: string;
  readonly crowns: readonly Crown[];
  readonly mountain: string;
  readonly peaks: readonly Peak[];
  /** Flooded cells, and waves on them. */
  readonly water: string;
  readonly waves: string;
  readonly things: readonly Thing[];
}

export interface Crown {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface Peak {
  readonly whole: string;
  readonly shade: string;
  readonly ridges: string;
}

/** A thing on a cell. */
export interface Thing {
  readonly cell: Cell;
  readonly ground: Ground;
  readonly x: number;
  readonly y: number;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly ground: Ground;
}

const THINGS: ReadonlySet<Ground> = new Set<Ground>([
  'tree',
  'trees',
  'rocks',
  'well',
  'gold',
  'blue-entrance',
  'red-entrance',
  'yellow-entrance',
]);
const drawings = new Map<string, Landscape>();

export function landscape(terrain: Terrain): Landscape {
  const key = terrain.map((row) => row.join()).join(';');
  const known = drawings.get(key);
  if (known) return known;
  const fresh = draw(terrain.flatMap((row, y) => row.map((ground, x) => ({ x, y, ground }))));
  drawings.set(key, fresh);
  return fresh;
}

function draw(spots: readonly Spot[]): Landscape {
  const of = (...grounds: Ground[]): readonly Spot[] => spots.filter(({ ground }) => grounds.includes(ground));
  const cells = (some: readonly Spot[]): readonly Cell[] => some.map(({ x, y }) => cellAt(x, y));
  const wild = of('forest', 'mountain', 'water');
  return {
    grass: of('meadow').map(tufts).join(''),
    grid: spots
      .filter((spot) => !wild.includes(spot))
      .map(frame)
      .join(''),
    forest: outline(cells(of('forest')), -4, 30),
    crowns: of('forest')
      .flatMap(crowns)
      .sort((a, b) => a.y - b.y),
    mountain: outline(cells(of('mountain')), -4, 24),
    peaks: of('mountain').flatMap(peaks),
    water: outline(cells(of('water')), -2, 6),
    waves: of('water').map(waves).join(''),
    things: spots
      .filter(({ ground }) => THINGS.has(ground))
      .map(({ x, y, ground }) => ({ cell: cellAt(x, y), ground, x: x * SIDE, y: y * SIDE })),
  };
}

function frame({ x, y }: Spot): string {
  return `M${x * SIDE} ${y * SIDE}h${SIDE}v${SIDE}h${-SIDE}z`;
}

/** Returns a few blades of grass. */
function tufts({ x, y }: Spot): string {
  return [0, 1, 2]
    .map((n) => {
      const left = x * SIDE + 16 + 62 * pseudoRandom(x, y, n);
      const foot = y * SIDE + 24 + 24 * n + 14 * pseudoRandom(x, y, n + 9);
      return `M${formatCoordinate(left)} ${formatCoordinate(foot)}q-1-8-5-11m5 11q0-9 1-15m-1 15q2-8 6-10`;
    })
    .join('');
}

/** Returns two ripples of still water. */
function waves({ x, y }: Spot): string {
  return [0, 1]
    .map((n) => {
      const left = x * SIDE + 8 + 34 * pseudoRandom(x, y, n);
      const top = y * SIDE + 26 + 46 * n + 12 * pseudoRandom(x, y, n + 4);
      return `M${formatCoordinate(left)} ${formatCoordinate(top)}q12-9 24 0t24 0`;
    })
    .join('');
}

function crowns({ x, y }: Spot): readonly Crown[] {
  const spots = [
    [28, 24],
    [74, 34],
    [40, 68],
    [84, 82],
  ] as const;
  return spots.map(([left, top], n) => ({
    x: x * SIDE + left + 12 * (pseudoRandom(x, y, n) - 0.5),
    y: y * SIDE + top + 12 * (pseudoRandom(x, y, n + 5) - 0.5),
    radius: 22 + 7 * pseudoRandom(x, y, n + 20),
  }));
}

/** Returns a high peak and a lower one in front, each with a lit and a shaded side. */
function peaks({ x, y }: Spot): readonly Peak[] {
  const shift = 10 * (pseudoRandom(x, y, 1) - 0.5);
  const left = x * SIDE;
  const top = y * SIDE;
  return [
    peak(left + 46 + shift, top + 8 + 8 * pseudoRandom(x, y, 2), left + 6, left + 92, top + 78),
    peak(left + 70 - shift, top + 46 + 8 * pseudoRandom(x, y, 3), left + 40, left + 98, top + 95),
  ];
}

function peak(tip: number, top: number, left: number, right: number, foot: number): Peak {
  const at = (x: number, y: number): string => `${formatCoordinate(x)} ${formatCoordinate(y)}`;
  const down = (part: number): number => top + (foot - top) * part;
  const summit = at(tip, top);
  const crest = at((tip + right) / 2, down(0.55));
  const fold = [at(tip - 5, down(0.38)), at(tip + 5, down(0.66)), at(tip - 2, foot)].join('L');
  return {
    whole: `M${[at(left, foot), at(tip + (left - tip) * 0.55, down(0.48)), summit, crest, at(right, foot)].join('L')}Z`,
    shade: `M${[summit, fold, at(right, foot), crest].join('L')}Z`,
    ridges: `M${summit}L${fold}M${at(tip + (left - tip) * 0.42, down(0.55))}l-4 ${formatCoordinate((foot - top) * 0.2)}`,
  };
}
