import { openBook } from '../../../i18n/books.svelte';
import type words from '../../../i18n/en/books/rules-rollwrite.json';
import type { Translate } from '../../../i18n/index.svelte';
import type { AidMatch, Rulebook, RuleSection } from '../../types';
import { outlines } from '../outline';
import Aid from './Aid.svelte';
import Picture from './Picture.svelte';
import Try from './Try.svelte';

type Words = typeof words;

declare module '../../../i18n/types' {
  interface English extends Words {}
}

/** The sections in the order of play. */
export const SECTIONS: readonly RuleSection[] = [
  { name: 'dice', rules: ['RW-1', 'RW-2', 'RW-3', 'RW-13'], pictures: ['dice', 'types'] },
  { name: 'place', rules: ['RW-4', 'RW-5', 'RW-6', 'RW-7', 'RW-8'], trials: ['first', 'next'] },
  { name: 'deciding', rules: ['RW-9', 'RW-10', 'RW-11', 'RW-12'], pictures: ['circles'] },
  { name: 'counting', rules: ['RW-14', 'RW-15', 'RW-16', 'RW-17', 'RW-18', 'RW-19'], pictures: ['sheet'] },
  { name: 'chapter1', rules: ['RW-20'] },
  { name: 'chapter2', rules: ['RW-21', 'RW-22', 'RW-23', 'RW-24'], pictures: ['church'] },
  { name: 'chapter3', rules: ['RW-25', 'RW-26', 'RW-27', 'RW-28', 'RW-29'] },
  { name: 'chapter4', rules: ['RW-30', 'RW-31', 'RW-32', 'RW-33', 'RW-34'], pictures: ['bandit'] },
  { name: 'details', rules: ['RW-35'] },
];

function aids(t: Translate): readonly AidMatch[] {
  return Object.keys(outlines.current?.chapters ?? {}).map((episode) => ({
    label: t('rollwrite.mode.episode', { episode }),
    setup: { episode, seats: 2 },
  }));
}

async function prepare(): Promise<void> {
  await Promise.all([outlines.newest(), openBook('rules-rollwrite'), openBook('about-rollwrite')]);
}

export default { sections: SECTIONS, picture: Picture, trial: Try, aid: Aid, aids, prepare } satisfies Rulebook;
