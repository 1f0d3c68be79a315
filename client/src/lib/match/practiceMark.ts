import { t } from '../../i18n/index.svelte';
import type { MatchInfo } from '../../wire/server';

/** The mark beside the name of a match that does not count. */
export function practiceMark(match: MatchInfo | null | undefined): string {
  if (match?.imported != null) return t('imported');
  return match?.practice ? t('practice') : '';
}
