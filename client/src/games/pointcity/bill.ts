/* Sums for the eye: the server says what may be taken and how it may be paid. */
import type { CardView } from '../../wire/pointcity';
import { heldOf, INGENUITY, RESOURCES, type Resource } from './signs';

export type Stock = Readonly<Record<string, number>>;

/** One resource of a price: what it costs, and how much of that permanents and cards bear. */
export interface Share {
  readonly resource: Resource;
  readonly cost: number;
  /** Borne by permanents, which cost nothing. */
  readonly free: number;
  /** Left for cards. */
  readonly owed: number;
  /** Of that, what no card of the resource is there for: jokers must help. */
  readonly lacking: number;
}

export function priceOf(buildings: readonly CardView[], permanents: Stock, stock: Stock): readonly Share[] {
  return RESOURCES.flatMap((resource) => {
    const cost = buildings.reduce((sum, building) => sum + (building.cost[resource] ?? 0), 0);
    if (!cost) return [];
    const free = Math.min(cost, permanents[resource] ?? 0);
    const owed = cost - free;
    return [{ resource, cost, free, owed, lacking: Math.max(0, owed - heldOf(stock, resource).symbols) }];
  });
}

/** How many symbols are missing even with every joker. */
export function missing(price: readonly Share[], stock: Stock): number {
  const lacking = price.reduce((sum, share) => sum + share.lacking, 0);
  return Math.max(0, lacking - heldOf(stock, INGENUITY).symbols);
}

export function added(stock: Stock, faces: readonly string[]): Stock {
  return changed(stock, faces, 1);
}

export function without(stock: Stock, faces: readonly string[]): Stock {
  return changed(stock, faces, -1);
}

function changed(stock: Stock, faces: readonly string[], by: number): Stock {
  const found: Record<string, number> = { ...stock };
  for (const face of faces) found[face] = (found[face] ?? 0) + by;
  return Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
}

/** The cards that a price takes, where there is but one way to pay it; else null. */
export function forcedCards(price: readonly Share[], stock: Stock): readonly string[] | null {
  const ways = payments(price, stock, heldOf(stock, INGENUITY).symbols);
  return ways.length === 1 ? (ways[0] ?? null) : null;
}

/** All sets of cards that pay and hold no card too many. */
function payments(price: readonly Share[], stock: Stock, jokers: number): readonly (readonly string[])[] {
  const [share, ...others] = price;
  if (!share) return [[]];
  const { singles, doubles } = heldOf(stock, share.resource);
  return upTo(Math.min(doubles, Math.ceil(share.owed / 2))).flatMap((two) =>
    upTo(Math.min(singles, share.owed)).flatMap((one) => {
      const given = one + 2 * two;
      const helped = Math.max(0, share.owed - given);
      const tooMany = given - share.owed > (one ? 0 : 1) || (two === 0 && given > share.owed);
      if (tooMany || helped > jokers) return [];
      const cards = [...of(share.resource, one), ...of(`${share.resource}-2`, two), ...of(INGENUITY, helped)];
      return payments(others, stock, jokers - helped).map((rest) => [...cards, ...rest]);
    }),
  );
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last + 1 }, (_, number) => number);
}

function of(face: string, count: number): readonly string[] {
  return Array.from({ length: count }, () => face);
}
