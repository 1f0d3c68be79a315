import { squareOf, type Cell } from '../../board/cells';
import type { Shape } from '../../board/shapes';
import type { Body, Ground, Terrain } from '../../board/terrain';
import type { BuildingView, CardView, TableView } from '../../wire/mycity';

type Signs = TableView['signs'];

/** The one square of what is put on a single cell. */
export const SQUARE: Shape = { squares: [{ x: 0, y: 0 }], width: 1, height: 1 };

/** A building, told apart by its card; kiosks, which are alike, by their cell too. */
export interface PlacedBuilding extends Body {
  readonly card: string;
}

/** What is to be seen on somebody's board. */
export interface CityLayout {
  readonly terrain: Terrain;
  readonly squares: readonly Cell[];
  readonly bodies: readonly PlacedBuilding[];
  /** Cells that will be parks if it ends now. */
  readonly parks: readonly Cell[];
  /** The cells of the building that the investor stands on. */
  readonly investor: readonly Cell[];
  /** Where the railway runs. */
  readonly track: readonly Cell[];
  /** Cells with a dyke along the river. */
  readonly dykes: readonly Cell[];
}

const EMPTY_LAYOUT: CityLayout = {
  terrain: [],
  squares: [],
  bodies: [],
  parks: [],
  investor: [],
  track: [],
  dykes: [],
};

/** The board of a seat: as it is built, or cleared while rewards are placed. */
export function cityLayoutOf(table: TableView, seat: number): CityLayout {
  const city = table.cities[seat];
  if (!city) return EMPTY_LAYOUT;
  const cleared = table.cleared ? city.legacy : null;
  return {
    terrain: terrainOf(cleared?.rows ?? city.rows, table.signs),
    squares: cleared?.squares ?? city.squares,
    bodies: bodiesOf(cleared ? city.pieces : [...city.pieces, ...city.buildings]),
    parks: city.parks,
    investor: city.investor,
    track: table.track,
    dykes: city.dykes,
  };
}

export function terrainOf(rows: readonly string[], signs: Signs): Terrain {
  return rows.map((row) => [...row].map((sign) => signs[sign] ?? 'meadow'));
}

export function groundAt(terrain: Terrain, cell: Cell): Ground {
  const { x, y } = squareOf(cell);
  return terrain[y]?.[x] ?? 'meadow';
}

function bodiesOf(buildings: readonly BuildingView[]): readonly PlacedBuilding[] {
  return buildings.map(({ card, kind, cells, roof }) => ({
    id: bodyId(card, cells),
    card,
    kind,
    cells,
    ...(roof && { roof }),
  }));
}

export function bodyId(card: string, cells: readonly Cell[]): string {
  return `${card}@${cells[0]}`;
}

/** The drawing of the building that a card stands for in somebody's hand. */
export function drawingOf(table: TableView, seat: number, { drawing }: CardView): string | null {
  return drawing ?? table.cities[seat]?.fourth ?? null;
}

/** A card of the deck that has a building. */
export function cardNamed(table: TableView, name: string): CardView | undefined {
  return table.cards.find(({ card }) => card === name);
}

/** Who was first in a race. */
export function winnersOf(table: TableView, race: string): readonly number[] {
  return table.cities.flatMap((city, seat) => (city.won.includes(race) ? [seat] : []));
}
