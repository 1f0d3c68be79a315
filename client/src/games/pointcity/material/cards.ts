import { squareOf } from '../../../board/geometry/cells';
import type { CardView, CellView, DeckView } from '../../../wire/pointcity';
import { outlines } from '../outline';
import { RESOURCES } from './resources';

export type Kind = CardView['kind'];
export const KINDS: readonly Kind[] = ['resource', 'points', 'civic'];

/** Returns the code of a building's name for its card: `1-resource-industry-1` for `a4-industry`. */
export function titleOf(card: string): string | undefined {
  return outlines.current?.cards[card]?.title;
}

export function kindOf(card: string): Kind | undefined {
  return outlines.current?.cards[card]?.kind;
}

/** A building of a city, and its index there. */
export interface PlacedBuilding {
  readonly card: CardView;
  readonly place: number;
}

/** Returns the buildings of a city, ordered by their gain. */
export function buildingsInOrder(city: readonly CardView[]): readonly PlacedBuilding[] {
  const rank = ({ kind, resource }: CardView): number =>
    kind === 'resource' ? RESOURCES.indexOf(resource) : RESOURCES.length + KINDS.indexOf(kind);
  return city.map((card, place) => ({ card, place })).sort((house, other) => rank(house.card) - rank(other.card));
}

/** Returns the cells of the market by rows. */
export function rowsOf(market: readonly CellView[]): readonly (readonly CellView[])[] {
  const rows: CellView[][] = [];
  for (const cell of market) (rows[squareOf(cell.cell).y] ??= []).push(cell);
  return rows;
}

/**
 * The card that fills a space after its card is taken: a building, a resource face (known if it is on top), or none.
 */
export type Next = { readonly shows: 'building' | 'resource' | 'nothing'; readonly face: string | null };

export function nextOf(cells: readonly CellView[], { coming }: DeckView): readonly Next[] {
  return cells.map(({ next }, place) => {
    const face = coming[place];
    return face === undefined || !next ? { shows: 'nothing', face: null } : { shows: next, face };
  });
}
