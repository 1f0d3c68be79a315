import { mount, unmount } from 'svelte';
import { GAMES, loadGame } from '../../games/index';
import { openBook } from '../../i18n/books.svelte';
import { choose } from '../../net/currentBackend';
import { openHouse } from '../../net/local/localBackend';
import { isWanted, SITE, want } from '../../net/localMode';
import { filesOf } from './fileDownloads';
import { becomeInstallable } from './installPrompt.svelte';
import LoadingBar from './LoadingBar.svelte';
import LoadingPage from './LoadingPage.svelte';
import { arrival, say } from './loadingState.svelte';
import { isKept, keepOffline } from './serviceWorker';

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
export async function arrive(target: Element, settled: Promise<void>, start: Start): Promise<void> {
  const kept = isKept();
  let tell: (open: boolean) => void;
  const opened = new Promise<boolean>((resolve) => (tell = resolve));
  let shown: Record<string, unknown> | null = null;

  async function show(next: Start): Promise<void> {
    if (shown) await unmount(shown);
    shown = next();
  }
  const waiting: Start = () => mount(LoadingPage, { target, props: { onwant: begin } });

  function begin(): void {
    want();
    say({ state: 'opening' });
    const house = openHouse(
      {
        progress: (share) => say({ share }),
        ready: () => tell(true),
        failed: () => tell(false),
        elsewhere: () => {
          say({ state: 'elsewhere' });
          void show(waiting);
        },
      },
      SITE && !kept,
    );
    choose(house);
    document.addEventListener('click', filesOf(house));
  }

  if (kept || isWanted()) begin(); // while the words arrive
  await settled;
  await openBook('here');
  await show(kept ? start : waiting);
  if (kept) mount(LoadingBar, { target: document.body });
  if (!(await opened)) {
    say({ state: 'failed' });
    return kept ? show(waiting) : undefined;
  }
  if (arrival().state !== 'opening') return; // it is open elsewhere since
  say({ state: 'open' });
  if (!kept) await show(start);
  prepare();
  if (await keepOffline(() => say({ newer: true }))) {
    say({ kept: true });
    becomeInstallable();
  }
}
