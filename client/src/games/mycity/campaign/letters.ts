import type { Translate } from '../../../i18n/index.svelte';
import { knows } from '../../../lib/settings.svelte';
import type { Letters } from '../../types';
import { episodeOf } from './episode';
import Letter from './Letter.svelte';

const KEY = 'polyopolis.letters';
const MANY = 60;

/** The last episode whose letter was read here, by table; the newest last. */
function read(): [table: string, episode: number][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as [string, number][]) : [];
  } catch {
    return [];
  }
}

export const letters: Letters = {
  page: Letter,
  name: (setup: unknown, t: Translate) => (episodeOf(setup) === null ? '' : t('mycity.campaign.letter')),
  waits(table, setup) {
    const episode = episodeOf(setup);
    return episode !== null && !knows() && !read().some(([one, last]) => one === table && last >= episode);
  },
  keep(table, setup) {
    const episode = episodeOf(setup);
    if (episode === null) return;
    const others = read().filter(([one]) => one !== table);
    try {
      localStorage.setItem(KEY, JSON.stringify([...others, [table, episode]].slice(-MANY)));
    } catch {
      // Then it is read once more.
    }
  },
};
