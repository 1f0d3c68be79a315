import type { Kind, Roof } from '../../board/terrain';

/** Cards are called by a colour and a shape: `yellow-i4`. The blocking card has neither. */
export const BLOCK = 'block';

/** The card of the church that each player has in a shape of their own. */
export const FOURTH = 'church-4th';

const KINDS: Readonly<Record<string, Kind>> = {
  yellow: 'residential',
  red: 'public',
  blue: 'industrial',
  church: 'church',
  sawmill: 'neutral',
  port: 'neutral',
};

/** Buildings that no card of a deck stands for have a sign of their own. */
const ROOFS: Readonly<Record<string, Roof>> = {
  sawmill: 'sawmill',
  port: 'port',
  'red-palace': 'palace',
  'yellow-kiosk': 'kiosk',
};

/** The kinds in the order of the deck. */
export const KIND_ORDER = ['residential', 'public', 'industrial', 'church'] as const;

export function kindOf(card: string): Kind {
  return KINDS[card.split('-')[0] ?? ''] ?? 'residential';
}

export function roofOf(card: string): Roof | undefined {
  return ROOFS[card];
}

export function shapeName(card: string): string {
  return card.split('-')[1] ?? '';
}
