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

/** Preloads what the first click needs. */
function prepare(): void {
  const parts = [import('../table/TablePage.svelte'), ...GAMES.map(loadGame)];
  for (const part of parts) part.catch(() => {}); // the module that needs it reports the error
}

/**
 * Starts a local backend for this page. A cached page is shown at once, and its requests are answered when the
 * backend runs; otherwise the page asks before it downloads anything.
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
    const backend = startLocalBackend(
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
    setBackend(backend);
    document.addEventListener('click', downloadHandler(backend));
  }

  if (kept || hasConsent()) begin(); // in parallel with the texts
  await settled;
  await openBook('here');
  await show(kept ? start : waiting);
  if (kept) mount(LoadingBar, { target: document.body });
  if (!(await opened)) {
    updateLoadingState({ state: 'failed' });
    return kept ? show(waiting) : undefined;
  }
  if (loadingState().state !== 'opening') return; // another tab has taken it over
  updateLoadingState({ state: 'open' });
  if (!kept) await show(start);
  prepare();
  if (await cacheOffline(() => updateLoadingState({ newer: true }))) {
    updateLoadingState({ kept: true });
    watchInstallPrompt();
  }
}
