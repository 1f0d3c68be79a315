import type { CardView, FaceOutline } from '../../../wire/pointcity';
import { outlines } from '../outline';

export type Resource = CardView['resource'];
export type Sign = FaceOutline['sign'];
export type Stock = Readonly<Record<string, number>>;

export const INGENUITY = 'ingenuity';

/** The order of resources in stocks: the joker is last. */
const PLACES: Readonly<Record<Sign, number>> = {
  energy: 0,
  industry: 1,
  economy: 2,
  community: 3,
  ecology: 4,
  ingenuity: 5,
};
export const SIGNS = Object.keys(PLACES) as readonly Sign[];
export const RESOURCES = SIGNS.filter((sign) => sign !== INGENUITY);

/** Returns the signs of a face: `energy-2` has two of energy, `ingenuity` one joker. */
export function signsOf(face: string): FaceOutline {
  return outlines.current?.faces[face] ?? { sign: INGENUITY, symbols: 1 };
}

/** Returns all faces in the order of their signs. */
export function facesInOrder(): readonly string[] {
  const faces = Object.entries(outlines.current?.faces ?? {});
  const place = ({ sign, symbols }: FaceOutline): number => PLACES[sign] + symbols / 10;
  return faces.sort(([, face], [, other]) => place(face) - place(other)).map(([name]) => name);
}

/** The cards of a stock that show one sign, once or twice. */
export interface HeldResources {
  readonly singles: number;
  readonly doubles: number;
}

export function heldResources(stock: Stock, sign: Sign): HeldResources {
  const cards = (wanted: number): number =>
    Object.entries(stock).reduce((sum, [face, count]) => {
      const shown = signsOf(face);
      return shown.sign === sign && shown.symbols === wanted ? sum + count : sum;
    }, 0);
  return { singles: cards(1), doubles: cards(2) };
}

export function cardsIn(stock: Stock): number {
  return Object.values(stock).reduce((sum, count) => sum + count, 0);
}

/** Counts the faces of cards, in the order of the signs. */
export function counted(cards: readonly string[]): readonly (readonly [face: string, count: number])[] {
  return facesInOrder().flatMap((face) => {
    const count = cards.filter((card) => card === face).length;
    return count ? [[face, count] as const] : [];
  });
}
