import { cellAt, squareOf, type Cell, type Size } from '../../board/cells';
import type { Ground as Land, Terrain } from '../../board/terrain';
import type { BuildingView, CityView, RaceView, TableView } from '../../wire/rollwrite';

export const KINDS = ['residential', 'industrial', 'administrative', 'church', 'fort', 'sawmill'] as const;
export type Kind = (typeof KINDS)[number];

/** What is printed on a cell, for words and drawings. */
export type Ground =
  Extract<Land, 'meadow' | 'trees' | 'rocks' | 'well' | 'gold' | 'forest' | 'mountain'> | 'plains' | 'flood';

const GROUNDS: Readonly<Record<string, Ground>> = {
  '.': 'meadow',
  '2': 'trees',
  r: 'rocks',
  W: 'well',
  g: 'gold',
  '#': 'forest',
  '^': 'mountain',
  h: 'plains',
  '~': 'flood',
};

export const COMPASS = 'compass';

export function kindOf(kind: string): Kind {
  return KINDS.find((known) => known === kind) ?? 'residential';
}

export function sizeOf(rows: readonly string[]): Size {
  return { width: rows[0]?.length ?? 0, height: rows.length };
}

export function groundAt(rows: readonly string[], cell: Cell): Ground {
  const { x, y } = squareOf(cell);
  return GROUNDS[rows[y]?.[x] ?? ''] ?? 'meadow';
}

/** The sheet as land: what only this game has lies on meadow. */
export function landOf(rows: readonly string[]): Terrain {
  return rows.map((row) =>
    [...row].map((sign) => {
      const ground = GROUNDS[sign] ?? 'meadow';
      return ground === 'plains' || ground === 'flood' ? 'meadow' : ground;
    }),
  );
}

export function cellsWith(rows: readonly string[], wanted: string): readonly Cell[] {
  return rows.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === wanted ? [cellAt(x, y)] : [])));
}

/** Nothing is ever built twice on a cell, so the first one tells buildings apart. */
export function nameOf({ cells }: Pick<BuildingView, 'cells'>): string {
  return cells[0] ?? '';
}

export function buildingAt(city: CityView | undefined, cell: Cell): BuildingView | undefined {
  return city?.buildings.find(({ cells }) => cells.includes(cell));
}

/** How many cells of a race a city has built over. */
export function covered(race: RaceView, city: CityView | undefined): number {
  const built = new Set(city?.buildings.flatMap(({ cells }) => cells) ?? []);
  return race.cells.filter((cell) => built.has(cell)).length;
}

export function winnersOf(race: string, table: TableView): readonly number[] {
  return table.cities.flatMap((city, seat) => (city.won.includes(race) ? [seat] : []));
}

/** What the last roll means: a building of the dice, or the next one of the compass. */
export function compassBuilds(table: TableView): boolean {
  const roll = table.roll;
  return roll !== null && roll.faces[1] === COMPASS && table.compass !== null && roll.kind === table.compass.builds;
}
