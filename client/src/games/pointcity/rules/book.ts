import { openBook } from '../../../i18n/books.svelte';
import type words from '../../../i18n/en/books/rules-pointcity.json';
import type { Translate } from '../../../i18n/index.svelte';
import type { AidMatch, Rulebook, RuleSection } from '../../types';
import { outlines } from '../outline';
import { levelName } from '../words';
import Aid from './Aid.svelte';
import Picture from './Picture.svelte';
import Try from './Try.svelte';

type Words = typeof words;

declare module '../../../i18n/types' {
  interface English extends Words {}
}

/** The sections in the order of play. */
export const SECTIONS: readonly RuleSection[] = [
  { name: 'setup', rules: ['PC-1', 'PC-2', 'PC-3', 'PC-4', 'PC-5'], pictures: ['sides'] },
  { name: 'turn', rules: ['PC-6', 'PC-7', 'PC-8', 'PC-13'] },
  { name: 'paying', rules: ['PC-9', 'PC-10', 'PC-11', 'PC-12'], pictures: ['building'], trials: ['market'] },
  { name: 'tokens', rules: ['PC-14'], pictures: ['tokens'] },
  { name: 'refill', rules: ['PC-15', 'PC-16'], pictures: ['refill'] },
  { name: 'end', rules: ['PC-17', 'PC-18', 'PC-19', 'PC-20'] },
  { name: 'alone', rules: ['PC-21', 'PC-22', 'PC-23', 'PC-24'] },
];

/** Returns the aids, labelled by the number of players or by the level of the Automa. */
function aids(t: Translate): readonly AidMatch[] {
  const modes = outlines.current?.modes ?? [];
  const several = modes.find(({ group }) => group === 'several')?.seats ?? [];
  const alone = modes.filter(({ group }) => group === 'alone').map(({ setup }) => String(setup['automa']));
  return [
    ...several.map((seats) => ({ label: t('rules.pointcity.aid.seats', { count: seats }), setup: { seats } })),
    ...alone.map((automa) => ({
      label: t('pointcity.automa.level', { level: levelName(automa, t) }),
      setup: { seats: 1, automa },
    })),
  ];
}

async function prepare(): Promise<void> {
  await Promise.all([outlines.newest(), openBook('rules-pointcity')]);
}

export default { sections: SECTIONS, picture: Picture, trial: Try, aid: Aid, aids, prepare } satisfies Rulebook;
