import { mount, unmount } from 'svelte';
import { openBook } from '../../i18n/books.svelte';
import { choose } from '../../net/houses';
import { openHouse, SIZE, type PageHouse } from '../../net/page/page';
import { arrival, say } from './arrival.svelte';
import Arriving from './Arriving.svelte';

/** A page that lives without a server opens a house of its own, and only then starts. */
export async function arrive(target: Element, start: () => Record<string, unknown>): Promise<void> {
  await openBook('here');
  say({ size: SIZE });
  let shown = mount(Arriving, { target });
  const show = async (next: () => Record<string, unknown>): Promise<void> => {
    await unmount(shown);
    shown = next();
  };
  const house = openHouse({
    progress: (share) => say({ share }),
    ready: () => {
      say({ state: 'open' });
      void show(start);
      void keepOffline().then((kept) => say({ kept }));
    },
    failed: () => {
      if (arrival().state === 'opening') say({ state: 'failed' });
    },
    elsewhere: () => {
      say({ state: 'elsewhere' });
      void show(() => mount(Arriving, { target }));
    },
  });
  choose(house);
  document.addEventListener('click', (event) => keepFile(house, event));
}

/** Once everything is here, a service worker keeps it; browsers have none for addresses that are not secure. */
async function keepOffline(): Promise<boolean> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return false;
  try {
    const workers = navigator.serviceWorker;
    const taken = new Promise((resolve) => workers.addEventListener('controllerchange', resolve, { once: true }));
    await workers.register('/offline.js');
    if (!workers.controller) await taken; // until then parts of this page still come from the network
    return true;
  } catch {
    return false; // then it needs the network to be opened, and nothing else is worse
  }
}

/** A click on a file: a server would send it, a house in the page writes it out. */
function keepFile(house: PageHouse, event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const path = link?.hasAttribute('download') ? /^\/api(\/.+)$/.exec(link.pathname)?.[1] : undefined;
  if (path === undefined) return;
  event.preventDefault();
  void house.text(path).then((text) => save(text, nameOf(path)));
}

/** `/tables/x/matches/0/record` is polyopolis-x-0.json, as the server calls it. */
function nameOf(path: string): string {
  const [, , table, part, number] = path.split('/');
  return `polyopolis-${table}-${part === 'matches' ? number : 'campaign'}.json`;
}

function save(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
