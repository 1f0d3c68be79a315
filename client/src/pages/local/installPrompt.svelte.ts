import { language } from '../../i18n/index.svelte';
import { STATIC_SITE } from '../../net/localMode';

/** What Chromium sends when it would install a page; no other browser does. */
interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

const KEY = 'polyopolis.install';

let prompt = $state.raw<InstallPrompt | null>(null);
let declined = $state(wasDeclined());

function wasDeclined(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** From now on the browser knows what it could install, in the language of the page. */
export function watchInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // the page asks, where it does not disturb
    prompt = event as InstallPrompt;
  });
  addEventListener('appinstalled', () => (prompt = null));
  const link = document.createElement('link');
  link.rel = 'manifest';
  document.head.append(link);
  $effect.root(() => {
    $effect(() => {
      link.href = `${STATIC_SITE ? '.' : ''}/manifest.${language()}.webmanifest`;
    });
  });
}

/** How this page could become an app here: the browser asks, or somebody is told where Safari hides it. */
export function installOption(): 'asks' | 'share' | null {
  if (declined) return null;
  if (prompt) return 'asks';
  const { standalone, maxTouchPoints } = navigator as Navigator & { standalone?: boolean };
  return standalone === false && maxTouchPoints > 1 ? 'share' : null;
}

export async function install(): Promise<void> {
  await prompt?.prompt();
  prompt = null;
}

/** For good. */
export function declineInstall(): void {
  declined = true;
  try {
    localStorage.setItem(KEY, 'no');
  } catch {
    // It holds for this visit.
  }
}
