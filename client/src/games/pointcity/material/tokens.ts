import type { TokenOutline } from '../../../wire/pointcity';
import { outlines } from '../outline';

const BLANK: TokenOutline = { counts: 'flat', points: 0, signs: [], copies: 0 };

/** Returns the points and the conditions of a civic token. */
export function tokenPicture(token: string): TokenOutline {
  return outlines.current?.tokens[token] ?? BLANK;
}
