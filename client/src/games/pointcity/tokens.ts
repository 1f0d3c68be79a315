import type { TokenOutline } from '../../wire/pointcity';
import { outlines } from './outline';

const BLANK: TokenOutline = { counts: 'flat', points: 0, signs: [], copies: 0 };

/** How a civic token is drawn: its points, and what they are for. */
export function tokenPicture(token: string): TokenOutline {
  return outlines.current?.tokens[token] ?? BLANK;
}
