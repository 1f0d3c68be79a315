import { squareOf, type Cell } from '../../board/cells';
import type { Shape } from '../../board/shapes';
import type { Body, Ground, Terrain } from '../../board/terrain';
import type { BuildingView, CityView, TableView } from '../../wire/mycity';
import { BLOCK, FOURTH, kindOf, roofOf } from './cards';

const GROUNDS: Readonly<Record<string, Ground>> = {
  '.': 'meadow',
  '1': 'tree',
  '2': 'trees',
  r: 'rocks',
  W: 'well',
  g: 'gold',
  '#': 'forest',
  '^': 'mountain',
  '~': 'water',
  b: 'blue-entrance',
  d: 'red-entrance',
  y: 'yellow-entrance',
};

/** What a sticker makes of its cell. */
const STICKERS: Readonly<Record<string, Ground>> = {
  tree: 'tree',
  rock: 'rocks',
  meadow: 'meadow',
  'forest-tree': 'tree',
};

/** The one square of what is put on a single cell. */
export const SQUARE: Shape = { squares: [{ x: 0, y: 0 }], width: 1, height: 1 };

/** A building, told apart by its card; kiosks, which are alike, by their cell too. */
export interface Standing extends Body {
  readonly card: string;
}

/** What is to be seen on somebody's board. */
export interface Town {
  readonly terrain: Terrain;
  readonly squares: readonly Cell[];
  readonly bodies: readonly Standing[];
  /** Cells that will be parks if it ends now. */
  readonly parks: readonly Cell[];
  /** The cells of the building that the investor stands on. */
  readonly investor: readonly Cell[];
  readonly track: boolean;
  readonly dykes: boolean;
}

const NOWHERE: Town = { terrain: [], squares: [], bodies: [], parks: [], investor: [], track: false, dykes: false };

/** The board of a seat: as it is built, or cleared while rewards are placed. */
export function townOf(table: TableView, seat: number): Town {
  const city = table.cities[seat];
  if (!city) return NOWHERE;
  const cleared = isCleared(table);
  const terrain = terrainOf(cleared && city.legacy ? city.legacy.rows : city.rows);
  return {
    terrain,
    squares: table.squares.filter((cell) => groundAt(terrain, cell) === 'meadow'),
    bodies: bodiesOf(city, cleared ? city.pieces : [...city.pieces, ...city.buildings]),
    parks: cleared ? [] : (city.counted['parks'] ?? []),
    investor: cleared ? [] : city.investor,
    track: 'track' in table.episode.at_once,
    dykes: !cleared && 'dykes' in table.episode.counting,
  };
}

/** After an episode of a campaign the boards are cleared, and rewards are placed. */
export function isCleared(table: TableView): boolean {
  return table.asks === 'reward' && !table.over;
}

export function terrainOf(rows: readonly string[]): Terrain {
  return rows.map((row) => [...row].map((sign) => GROUNDS[sign] ?? 'meadow'));
}

export function groundAt(terrain: Terrain, cell: Cell): Ground {
  const { x, y } = squareOf(cell);
  return terrain[y]?.[x] ?? 'meadow';
}

export function groundOf(sticker: string): Ground {
  return STICKERS[sticker] ?? 'meadow';
}

function bodiesOf(city: CityView, buildings: readonly BuildingView[]): readonly Standing[] {
  return buildings.map(({ card, cells }) => {
    const roof = city.factories.includes(card) ? 'factory' : roofOf(card);
    return { id: bodyId(card, cells), card, kind: kindOf(card), cells, ...(roof && { roof }) };
  });
}

export function bodyId(card: string, cells: readonly Cell[]): string {
  return `${card}@${cells[0]}`;
}

/** The drawing of the building that a card stands for in somebody's hand. */
export function drawingOf(table: TableView, seat: number, card: string): string | null {
  return (card === FOURTH ? table.cities[seat]?.fourth : table.shapes[card]) ?? null;
}

/** All cards with a building, in the order of the deck. */
export function buildingCards(table: TableView): readonly string[] {
  const fourth = [...table.remaining, ...table.revealed].includes(FOURTH) ? [FOURTH] : [];
  return [...Object.keys(table.shapes), ...fourth];
}

/** Who was first in a race. */
export function winnersOf(table: TableView, race: string): readonly number[] {
  return table.cities.flatMap((city, seat) => (race in city.counted ? [seat] : []));
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
