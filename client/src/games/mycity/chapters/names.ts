import { tMaybe, type Translate } from '../../../i18n/index.svelte';
import { isOpen } from '../campaign/letters/seals.svelte';
import { chapterOf } from '../outline';

/** Returns the name of the chapter of an episode if its envelope is open, otherwise its number. */
export function chapterName(episode: number, t: Translate): string {
  const chapter = chapterOf(episode);
  const sealed = t('mycity.campaign.chapter', { number: chapter });
  return isOpen(chapter) ? tMaybe(`mycity.chapter.${chapter}.name`, sealed) : sealed;
}
