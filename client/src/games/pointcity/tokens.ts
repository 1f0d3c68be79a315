import { isSign, type Sign } from './signs';

/** How a civic token is drawn: its points, and what they are for. */
export interface TokenPicture {
  readonly points: number;
  readonly form: 'flat' | 'signs' | 'same' | 'none' | 'set';
  readonly signs: readonly Sign[];
  /** For `same`: so many permanents of one resource. */
  readonly copies: number;
}

const FORMS: Readonly<Record<string, Omit<TokenPicture, 'signs'>>> = {
  'two-plus': { points: 2, form: 'same', copies: 2 },
  'three-plus': { points: 3, form: 'same', copies: 3 },
  missing: { points: 4, form: 'none', copies: 0 },
  'full-set': { points: 6, form: 'set', copies: 0 },
};

export function tokenPicture(token: string): TokenPicture {
  const form = FORMS[token];
  if (form) return { ...form, signs: [] };
  const flat = /^flat-(\d+)$/.exec(token);
  if (flat) return { points: Number(flat[1]), form: 'flat', signs: [], copies: 0 };
  const signs = token.split('-').filter(isSign);
  return { points: signs.length > 1 ? 3 : 2, form: 'signs', signs, copies: 0 };
}
