import { squareOf, type Cell } from '../../board/cells';
import type { CardView, CellView, DeckView } from '../../wire/pointcity';

export type Kind = CardView['kind'];
export const KINDS: readonly Kind[] = ['resource', 'points', 'civic'];

/** What we call the buildings of a family: tier, kind and which of our names. */
const FAMILIES: Readonly<Record<string, readonly [tier: number, kind: Kind, style: number]>> = {
  a1: [1, 'resource', 1],
  a2: [1, 'resource', 2],
  a3: [1, 'resource', 3],
  a4: [1, 'resource', 1],
  a5: [1, 'resource', 2],
  a6: [1, 'resource', 3],
  a7: [1, 'resource', 1],
  a8: [1, 'resource', 2],
  a9: [1, 'resource', 3],
  a10: [1, 'points', 1],
  a11: [1, 'civic', 1],
  a12: [1, 'civic', 2],
  b1: [2, 'resource', 1],
  b2: [2, 'resource', 2],
  b3: [2, 'resource', 3],
  b4: [2, 'resource', 1],
  b5: [2, 'resource', 2],
  b6: [2, 'resource', 3],
  b7: [2, 'points', 1],
  b8: [2, 'points', 2],
  b9: [2, 'civic', 1],
  c1: [3, 'resource', 1],
  c2: [3, 'resource', 2],
  c3: [3, 'resource', 3],
  c4: [3, 'resource', 1],
  c5: [3, 'points', 1],
  c6: [3, 'points', 2],
  c7: [3, 'points', 3],
  c8: [3, 'civic', 1],
};

/** The code of a building's name, from its card alone: `a4-industry` is `1-resource-industry-1`. */
export function titleOf(card: string): string | undefined {
  const [family = '', resource = ''] = card.split('-');
  const found = FAMILIES[family];
  return found && `${found[0]}-${found[1]}-${resource}-${found[2]}`;
}

export function kindOf(card: string): Kind | undefined {
  return FAMILIES[card.split('-')[0] ?? '']?.[1];
}

/** Cells as the market is laid out. */
export function rowsOf(market: readonly CellView[]): readonly (readonly CellView[])[] {
  const rows: CellView[][] = [];
  for (const cell of market) (rows[squareOf(cell.cell).y] ??= []).push(cell);
  return rows;
}

export function beside(one: Cell, other: Cell): boolean {
  const [a, b] = [squareOf(one), squareOf(other)];
  return Math.abs(a.x - b.x) + Math.abs(a.y - b.y) === 1;
}

/** What comes to a space when its card is taken: a building, a resource face (known if it is the top one), nothing. */
export type Next = { readonly shows: 'building' | 'resource' | 'nothing'; readonly face: string | null };

export function nextOf(cells: readonly CellView[], deck: DeckView): readonly Next[] {
  return cells.map((cell, place) => {
    if (deck.cards <= place) return { shows: 'nothing', face: null };
    return { shows: cell.building ? 'resource' : 'building', face: place === 0 ? deck.top : null };
  });
}
