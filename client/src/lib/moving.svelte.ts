import { openBook } from '../i18n/books.svelte';
import { HERE } from '../net/here';
import { choose } from '../net/houses';
import type { PageHouse } from '../net/page/page';

/** How far this page has come with its house: one that speaks with the server has one already. */
export interface Arrival {
  readonly state: 'opening' | 'open' | 'failed' | 'elsewhere';
  /** From 0 to 1. */
  readonly share: number;
  /** Bytes to be loaded. */
  readonly size: number;
}

let come = $state.raw<Arrival>({ state: HERE ? 'opening' : 'open', share: 0, size: 0 });
let house: PageHouse | null = null;
let kept = $state(false);

export function arrival(): Arrival {
  return come;
}

/** Whether this page opens without a network, too. */
export function keptOffline(): boolean {
  return kept;
}

/** A page that lives without a server opens a house of its own, before it shows anything. */
export async function moveIn(): Promise<void> {
  if (!HERE) return;
  try {
    const [{ openHouse, SIZE }] = await Promise.all([import('../net/page/page'), openBook('here')]);
    come = { ...come, size: SIZE };
    house = openHouse({
      progress: (share) => (come = { ...come, share }),
      ready: () => {
        come = { ...come, state: 'open' };
        void keepOffline();
      },
      failed: () => {
        if (come.state === 'opening') come = { ...come, state: 'failed' };
      },
      elsewhere: () => (come = { ...come, state: 'elsewhere' }),
    });
    choose(house);
  } catch {
    come = { ...come, state: 'failed' };
  }
}

/** Once everything is here, a service worker keeps it; browsers have none for addresses that are not secure. */
async function keepOffline(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  try {
    const workers = navigator.serviceWorker;
    const taken = new Promise((resolve) => workers.addEventListener('controllerchange', resolve, { once: true }));
    await workers.register('/offline.js');
    if (!workers.controller) await taken; // until then parts of this page still come from the network
    kept = true;
  } catch {
    kept = false; // then it needs the network to be opened, and nothing else is worse
  }
}

/** A click on a file of the house: the server sends it, a house in the page writes it out. */
export function keepFile(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const path = link?.hasAttribute('download') ? /^\/api(\/.+)$/.exec(link.pathname)?.[1] : undefined;
  if (!house || path === undefined) return;
  event.preventDefault();
  void house.text(path).then((text) => save(text, nameOf(path)));
}

/** `/tables/x/matches/0/record` is polyopolis-x-0.json, as the server calls it. */
export function nameOf(path: string): string {
  const [, , table, part, number] = path.split('/');
  return `polyopolis-${table}-${part === 'matches' ? number : 'campaign'}.json`;
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
