import type { Catalogue, Key } from './types';

/** A key that a language lacks, and one that English does not have, are both errors of type. */
export function complete<Words extends Catalogue>(words: Words & Record<Exclude<keyof Words, Key>, never>): Catalogue {
  return words;
}
