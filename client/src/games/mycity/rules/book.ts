import { openBook } from '../../../i18n/books.svelte';
import type words from '../../../i18n/en/books/rules-mycity.json';
import type { Translate } from '../../../i18n/index.svelte';
import type { AidMatch, Rulebook, RuleSection } from '../../types';
import { openSeen } from '../campaign/letters/seals.svelte';
import { openedChapter } from '../chapters/index.svelte';
import { outlines } from '../outline';
import Aid from './Aid.svelte';
import Envelopes from './Envelopes.svelte';
import Picture from './Picture.svelte';
import Try from './Try.svelte';

type Words = typeof words;

declare module '../../../i18n/types' {
  interface English extends Words {}
}

/** The sections in the order of play. */
export const SECTIONS: readonly RuleSection[] = [
  { name: 'material', rules: ['MC-1', 'MC-2', 'MC-3', 'MC-4'], pictures: ['shapes'] },
  { name: 'round', rules: ['MC-5', 'MC-10', 'MC-11', 'MC-12', 'MC-13'], pictures: ['card'] },
  {
    name: 'place',
    rules: ['MC-6', 'MC-7', 'MC-8', 'MC-9'],
    pictures: ['touching'],
    trials: ['first', 'next'],
  },
  { name: 'counting', rules: ['MC-14', 'MC-15', 'MC-16', 'MC-18', 'MC-19', 'MC-21'], pictures: ['sight'] },
  {
    name: 'eternal',
    rules: ['MC-22', 'MC-23', 'MC-24', 'MC-25', 'MC-26', 'MC-27', 'MC-28', 'MC-29'],
    pictures: ['groups', 'church'],
  },
  {
    name: 'campaign',
    rules: ['MC-30', 'MC-31', 'MC-32', 'MC-17', 'MC-20', 'MC-33'],
    pictures: ['stickers'],
  },
];

/** Returns the aids for the eternal game and for the episodes of open chapters. */
function aids(t: Translate): readonly AidMatch[] {
  const open = outlines.current?.episodes.filter(({ chapter }) => chapter <= openedChapter()) ?? [];
  return [
    { label: t('mycity.mode.eternal'), setup: { mode: 'eternal', seats: 3 } },
    ...open.map(({ episode }) => ({
      label: t('mycity.mode.episode', { episode }),
      setup: { mode: 'episode', episode, play: 'campaign', seats: 3 },
    })),
  ];
}

async function prepare(): Promise<void> {
  await Promise.all([outlines.newest(), openBook('rules-mycity')]);
  await openSeen();
}

export default {
  sections: SECTIONS,
  picture: Picture,
  trial: Try,
  aid: Aid,
  more: Envelopes,
  aids,
  prepare,
} satisfies Rulebook;
