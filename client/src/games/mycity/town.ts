import { cellAt, squareOf, type Cell } from '../../board/cells';
import type { Body, Ground, Terrain } from '../../board/terrain';
import type { CityView, TableView } from '../../wire/mycity';
import { BLOCK, kindOf } from './cards';

const GROUNDS: Readonly<Record<string, Ground>> = {
  '.': 'meadow',
  '2': 'trees',
  r: 'rocks',
  W: 'well',
  g: 'gold',
  '#': 'forest',
  '^': 'mountain',
};

export function terrainOf(rows: readonly string[]): Terrain {
  return rows.map((row) => [...row].map((sign) => GROUNDS[sign] ?? 'meadow'));
}

/** Each card is built at most once in a city, so its name tells its buildings apart. */
export function bodiesOf(city: CityView): readonly Body[] {
  return city.buildings.map(({ card, cells }) => ({ id: card, kind: kindOf(card), cells }));
}

export function veinsOf(table: TableView): readonly Cell[] {
  return table.rows.flatMap((row, y) => [...row].flatMap((sign, x) => (sign === 'g' ? [cellAt(x, y)] : [])));
}

/** How many gold veins a city has built over. */
export function veinsCovered(table: TableView, city: CityView): number {
  const built = new Set(city.buildings.flatMap(({ cells }) => cells));
  return veinsOf(table).filter((cell) => built.has(cell)).length;
}

export function goldWinners(table: TableView): readonly number[] {
  return table.cities.flatMap((city, seat) => ('gold' in city.counted ? [seat] : []));
}

/** The cards that followed the blocking card and were for nobody. */
export function forbiddenCards(table: TableView): readonly string[] {
  return table.revealed.filter((_, i) => table.revealed[i - 1] === BLOCK);
}

/** The card that was blocked just before the one of this round. */
export function justForbidden(table: TableView): string | null {
  const [block, forbidden] = table.revealed.slice(-3, -1);
  return block === BLOCK && forbidden ? forbidden : null;
}

export function groundAt(terrain: Terrain, cell: Cell): Ground {
  const { x, y } = squareOf(cell);
  return terrain[y]?.[x] ?? 'meadow';
}
