import { cellAt, squareOf, type Cell, type Size } from '../../board/cells';
import type { Terrain } from '../../board/terrain';
import type { BuildingView, CityView, TableView } from '../../wire/rollwrite';

export type Kind = BuildingView['kind'];
/** What is printed on a cell, for words and drawings. */
export type Ground = TableView['signs'][string];
type Sheet = Pick<TableView, 'rows' | 'signs'>;

export function sizeOf(rows: readonly string[]): Size {
  return { width: rows[0]?.length ?? 0, height: rows.length };
}

export function groundAt({ rows, signs }: Sheet, cell: Cell): Ground {
  const { x, y } = squareOf(cell);
  return signs[rows[y]?.[x] ?? ''] ?? 'meadow';
}

/** The sheet as land: what only this game has lies on meadow. */
export function landOf({ rows, signs }: Sheet): Terrain {
  return rows.map((row) =>
    [...row].map((sign) => {
      const ground = signs[sign] ?? 'meadow';
      return ground === 'plains' || ground === 'flood' ? 'meadow' : ground;
    }),
  );
}

export function cellsWith({ rows, signs }: Sheet, ground: Ground): readonly Cell[] {
  return rows.flatMap((row, y) => [...row].flatMap((sign, x) => (signs[sign] === ground ? [cellAt(x, y)] : [])));
}

/** Nothing is ever built twice on a cell, so the first one tells buildings apart. */
export function nameOf({ cells }: Pick<BuildingView, 'cells'>): string {
  return cells[0] ?? '';
}

export function buildingAt(city: CityView | undefined, cell: Cell): BuildingView | undefined {
  return city?.buildings.find(({ cells }) => cells.includes(cell));
}

export function winnersOf(race: string, table: TableView): readonly number[] {
  return table.cities.flatMap((city, seat) => (city.won.includes(race) ? [seat] : []));
}
