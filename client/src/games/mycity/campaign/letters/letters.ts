import type { Translate } from '../../../../i18n/index.svelte';
import { revealsSealed } from '../../../../lib/site/settings.svelte';
import { episodeOf } from '../episode';

const KEY = 'polyopolis.letters';
const MANY = 60;

/** Returns the last episode whose letter was read on this device, by table; the newest last. */
function read(): [table: string, episode: number][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(kept) ? (kept as [string, number][]) : [];
  } catch {
    return [];
  }
}

export function name(setup: unknown, t: Translate): string {
  return episodeOf(setup) === null ? '' : t('mycity.campaign.letter');
}

/** Whether the letter for this setup is unread on this device, at this table. */
export function waits(table: string, setup: unknown): boolean {
  const episode = episodeOf(setup);
  return episode !== null && !revealsSealed() && !read().some(([known, last]) => known === table && last >= episode);
}

export function keep(table: string, setup: unknown): void {
  const episode = episodeOf(setup);
  if (episode === null) return;
  const others = read().filter(([known]) => known !== table);
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, [table, episode]].slice(-MANY)));
  } catch {
    // Without storage the letter is shown once more.
  }
}
