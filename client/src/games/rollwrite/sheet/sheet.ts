import { cellAt, squareOf, type Cell, type Size } from '../../../board/geometry/cells';
import type { Terrain } from '../../../board/pictures/terrain';
import type { BuildingView, CityView, TableView } from '../../../wire/rollwrite';

export type Kind = BuildingView['kind'];
/** The printed content of a cell, for texts and drawings. */
export type Ground = TableView['signs'][string];
type Sheet = Pick<TableView, 'rows' | 'signs'>;

export function sizeOf(rows: readonly string[]): Size {
  return { width: rows[0]?.length ?? 0, height: rows.length };
}

export function groundAt({ rows, signs }: Sheet, cell: Cell): Ground {
  const { x, y } = squareOf(cell);
  return signs[rows[y]?.[x] ?? ''] ?? 'meadow';
}

/** Returns the sheet as terrain; things that only this game has lie on meadow. */
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

/** Returns the first cell of a building, which identifies it because no cell is built on twice. */
export function nameOf({ cells }: Pick<BuildingView, 'cells'>): string {
  return cells[0] ?? '';
}

export function buildingAt(city: CityView | undefined, cell: Cell): BuildingView | undefined {
  return city?.buildings.find(({ cells }) => cells.includes(cell));
}

export function winnersOf(race: string, table: TableView): readonly number[] {
  return table.cities.flatMap((city, seat) => (city.won.includes(race) ? [seat] : []));
}
