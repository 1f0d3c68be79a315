import { mount, unmount } from 'svelte';
import { GAMES, loadGame } from '../../games/index';
import { openBook } from '../../i18n/books.svelte';
import { setBackend } from '../../net/currentBackend';
import { startLocalBackend } from '../../net/local/localBackend';
import { hasConsent, STATIC_SITE, rememberConsent } from '../../net/localMode';
import { downloadHandler } from './fileDownloads';
import { watchInstallPrompt } from './installPrompt.svelte';
import LoadingBar from './LoadingBar.svelte';
import LoadingPage from './LoadingPage.svelte';
import { loadingState, updateLoadingState } from './loadingState.svelte';
import { isCached, cacheOffline } from './serviceWorker';

type Start = () => Record<string, unknown>;

/** What comes after the first click, once nobody waits for anything else. */
function prepare(): void {
  const parts = [import('../table/TablePage.svelte'), ...GAMES.map(loadGame)];
  for (const part of parts) part.catch(() => {}); // whoever needs it says what is wrong
}

/**
 * A page that lives without a server opens a house of its own. Where everything is kept already it stands at once, and what it
 * asks is answered as soon as the house is open; elsewhere it waits, and nothing is loaded before somebody wants it.
 */
export async function startLocal(target: Element, settled: Promise<void>, start: Start): Promise<void> {
  const kept = isCached();
  let tell: (open: boolean) => void;
  const opened = new Promise<boolean>((resolve) => (tell = resolve));
  let shown: Record<string, unknown> | null = null;

  async function show(next: Start): Promise<void> {
    if (shown) await unmount(shown);
    shown = next();
  }
  const waiting: Start = () => mount(LoadingPage, { target, props: { onwant: begin } });

  function begin(): void {
    rememberConsent();
    updateLoadingState({ state: 'opening' });
    const house = startLocalBackend(
      {
        progress: (share) => updateLoadingState({ share }),
        ready: () => tell(true),
        failed: () => tell(false),
        elsewhere: () => {
          updateLoadingState({ state: 'elsewhere' });
          void show(waiting);
        },
      },
      STATIC_SITE && !kept,
    );
    setBackend(house);
    document.addEventListener('click', downloadHandler(house));
  }

  if (kept || hasConsent()) begin(); // while the words arrive
  await settled;
  await openBook('here');
  await show(kept ? start : waiting);
  if (kept) mount(LoadingBar, { target: document.body });
  if (!(await opened)) {
    updateLoadingState({ state: 'failed' });
    return kept ? show(waiting) : undefined;
  }
  if (loadingState().state !== 'opening') return; // it is open elsewhere since
  updateLoadingState({ state: 'open' });
  if (!kept) await show(start);
  prepare();
  if (await cacheOffline(() => updateLoadingState({ newer: true }))) {
    updateLoadingState({ kept: true });
    watchInstallPrompt();
  }
}
