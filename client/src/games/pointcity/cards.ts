import { squareOf } from '../../board/cells';
import type { CardView, CellView, DeckView } from '../../wire/pointcity';
import { outlines } from './outline';
import { RESOURCES } from './resources';

export type Kind = CardView['kind'];
export const KINDS: readonly Kind[] = ['resource', 'points', 'civic'];

/** The code of a building's name, from its card: `a4-industry` is `1-resource-industry-1`. */
export function titleOf(card: string): string | undefined {
  return outlines.current?.cards[card]?.title;
}

export function kindOf(card: string): Kind | undefined {
  return outlines.current?.cards[card]?.kind;
}

/** A building of a city, and its place there. */
export interface PlacedBuilding {
  readonly card: CardView;
  readonly place: number;
}

/** The buildings of a city as they are looked at: by what they give. */
export function buildingsInOrder(city: readonly CardView[]): readonly PlacedBuilding[] {
  const rank = ({ kind, resource }: CardView): number =>
    kind === 'resource' ? RESOURCES.indexOf(resource) : RESOURCES.length + KINDS.indexOf(kind);
  return city.map((card, place) => ({ card, place })).sort((house, other) => rank(house.card) - rank(other.card));
}

/** Cells as the market is laid out. */
export function rowsOf(market: readonly CellView[]): readonly (readonly CellView[])[] {
  const rows: CellView[][] = [];
  for (const cell of market) (rows[squareOf(cell.cell).y] ??= []).push(cell);
  return rows;
}

/** What comes to a space when its card is taken: a building, a resource face (known if it is the top one), nothing. */
export type Next = { readonly shows: 'building' | 'resource' | 'nothing'; readonly face: string | null };

export function nextOf(cells: readonly CellView[], { coming }: DeckView): readonly Next[] {
  return cells.map(({ next }, place) => {
    const face = coming[place];
    return face === undefined || !next ? { shows: 'nothing', face: null } : { shows: next, face };
  });
}
