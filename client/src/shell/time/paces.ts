import { t } from '../../i18n/index.svelte';
import type { Pace } from '../../wire/server';
import type {} from './words';

/** Returns a pace in a few words. */
export function paceName(pace: Pace): string {
  if (pace.type === 'live') return t('pace.live.words', { minutes: pace.minutes, seconds: pace.seconds });
  if (pace.type === 'unhurried') return t('pace.unhurried');
  const days = t('pace.correspondence.words', { count: pace.days });
  return pace.bank ? `${days}, ${t('pace.correspondence.bank', { count: pace.bank })}` : days;
}
