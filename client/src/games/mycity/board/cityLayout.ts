import { squareOf, type Cell } from '../../../board/geometry/cells';
import type { Shape } from '../../../board/geometry/shapes';
import type { Body, Ground, Terrain } from '../../../board/pictures/terrain';
import type { BuildingView, CardView, TableView } from '../../../wire/mycity';

type Signs = TableView['signs'];

/** The shape of things on a single cell. */
export const SQUARE: Shape = { squares: [{ x: 0, y: 0 }], width: 1, height: 1 };

/** A building, identified by its card; kiosks are identical and also need their cell. */
export interface PlacedBuilding extends Body {
  readonly card: string;
}

/** The things to draw on a board. */
export interface CityLayout {
  readonly terrain: Terrain;
  readonly squares: readonly Cell[];
  readonly bodies: readonly PlacedBuilding[];
  /** Cells that become parks if the match ends now. */
  readonly parks: readonly Cell[];
  /** The cells of the investor's building. */
  readonly investor: readonly Cell[];
  /** The cells of the railway. */
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

/** Returns the board of a seat, or the cleared one while rewards are placed. */
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

/** Returns the drawing of the building that a card means for a seat. */
export function drawingOf(table: TableView, seat: number, { drawing }: CardView): string | null {
  return drawing ?? table.cities[seat]?.fourth ?? null;
}

/** Returns a building card of the deck. */
export function cardNamed(table: TableView, name: string): CardView | undefined {
  return table.cards.find(({ card }) => card === name);
}

/** Returns the winners of a race. */
export function winnersOf(table: TableView, race: string): readonly number[] {
  return table.cities.flatMap((city, seat) => (city.won.includes(race) ? [seat] : []));
}
