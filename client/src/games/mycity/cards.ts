import type { Kind } from '../../board/terrain';

/** Cards are called by a colour and a shape: `yellow-i4`. The blocking card has neither. */
export const BLOCK = 'block';

const KINDS: Readonly<Record<string, Kind>> = {
  yellow: 'residential',
  red: 'public',
  blue: 'industrial',
  church: 'church',
};

/** The kinds in the order of the deck. */
export const KIND_ORDER: readonly Kind[] = ['residential', 'public', 'industrial', 'church'];

export function kindOf(card: string): Kind {
  return KINDS[card.split('-')[0] ?? ''] ?? 'residential';
}

export function shapeName(card: string): string {
  return card.split('-')[1] ?? '';
}
