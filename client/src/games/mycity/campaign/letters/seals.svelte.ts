import { revealsSealed } from '../../../../lib/site/settings.svelte';
import { CHAPTERS, openChapters } from '../../chapters/index.svelte';
import { chapterOf } from '../../outline';

const KEY = 'polyopolis.chapters';
const LAST = CHAPTERS.at(-1) ?? 0;
let reached = $state(remembered());

function remembered(): number {
  try {
    const kept = Number(localStorage.getItem(KEY));
    return Number.isInteger(kept) && kept > 0 ? Math.min(kept, LAST) : 0;
  } catch {
    return 0;
  }
}

/** Whether a chapter has been opened on this device, or all chapters are shown. */
export function isOpen(chapter: number): boolean {
  return revealsSealed() || chapter <= reached;
}

/** Opens the chapters up to that of an episode permanently. */
export async function openFor(episode: number): Promise<void> {
  await openChapters(chapterOf(episode));
  if (chapterOf(episode) <= reached) return;
  reached = chapterOf(episode);
  try {
    localStorage.setItem(KEY, String(reached));
  } catch {
    // Without storage they stay open for this visit.
  }
}

/** Loads the texts of all open chapters. */
export async function openSeen(): Promise<void> {
  await openChapters(revealsSealed() ? LAST : reached);
}
