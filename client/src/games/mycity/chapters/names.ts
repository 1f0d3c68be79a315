import { tMaybe, type Translate } from '../../../i18n/index.svelte';
import { isOpen } from '../campaign/seals.svelte';
import { chapterOf } from '../outline';

/** The chapter of an episode by its name if its envelope is open, else by its number. */
export function chapterName(episode: number, t: Translate): string {
  const chapter = chapterOf(episode);
  const sealed = t('mycity.campaign.chapter', { number: chapter });
  return isOpen(chapter) ? tMaybe(`mycity.chapter.${chapter}.name`, sealed) : sealed;
}
