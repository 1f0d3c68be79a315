export const RESOURCES = ['energy', 'industry', 'economy', 'community', 'ecology'] as const;
export type Resource = (typeof RESOURCES)[number];

export const INGENUITY = 'ingenuity';
export type Sign = Resource | typeof INGENUITY;
/** As stocks are shown: the joker comes last. */
export const SIGNS: readonly Sign[] = [...RESOURCES, INGENUITY];

/** The symbol of a resource face, and how many of it. */
export interface FaceSigns {
  readonly sign: Sign;
  readonly symbols: 1 | 2;
}

export function isSign(word: string): word is Sign {
  return (SIGNS as readonly string[]).includes(word);
}

/** `energy-2` shows two bolts, `ingenuity` one star. */
export function signsOf(face: string): FaceSigns {
  const double = face.endsWith('-2');
  const word = double ? face.slice(0, -2) : face;
  return { sign: isSign(word) ? word : INGENUITY, symbols: double ? 2 : 1 };
}

/** The cards of a stock that show one sign. */
export interface Held {
  readonly singles: number;
  readonly doubles: number;
  readonly symbols: number;
}

export function heldOf(stock: Readonly<Record<string, number>>, sign: Sign): Held {
  const singles = stock[sign] ?? 0;
  const doubles = stock[`${sign}-2`] ?? 0;
  return { singles, doubles, symbols: singles + 2 * doubles };
}

export function cardsIn(stock: Readonly<Record<string, number>>): number {
  return Object.values(stock).reduce((sum, count) => sum + count, 0);
}

/** The faces of some cards, counted, in the order of the signs. */
export function counted(cards: readonly string[]): readonly (readonly [face: string, count: number])[] {
  return SIGNS.flatMap((sign) => [sign, `${sign}-2`]).flatMap((face) => {
    const count = cards.filter((card) => card === face).length;
    return count ? [[face, count] as const] : [];
  });
}
