import { language } from '../../i18n/index.svelte';
import { STATIC_SITE } from '../../net/localMode';

/** The event of Chromium before it offers to install a page; no other browser has it. */
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

/** Adds the manifest in the language of the page and keeps the browser's offer. */
export function watchInstallPrompt(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault(); // the page asks instead
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

/** How this page can be installed: by the prompt of the browser, or by the share menu of Safari. */
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

/** Declines for good. */
export function declineInstall(): void {
  declined = true;
  try {
    localStorage.setItem(KEY, 'no');
  } catch {
    // The choice lasts for this visit.
  }
}
