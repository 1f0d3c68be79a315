/**
 * The service worker of pages that live without a server (`/here`): it has everything that they are made of, so that they open
 * without a network. The build puts in what there is; a new build is another worker, which waits until no page is open
 * any more, so that nothing changes under a match.
 */
const VERSION = '__VERSION__';
const FILES = __FILES__;
const PAGE = '/index.html';

addEventListener('install', (event) => {
  event.waitUntil(caches.open(VERSION).then((cache) => cache.addAll([PAGE, ...FILES])));
});

addEventListener('activate', (event) => {
  const forget = async () => {
    const names = await caches.keys();
    await Promise.all(names.filter((name) => name !== VERSION).map((name) => caches.delete(name)));
  };
  event.waitUntil(forget().then(() => clients.claim()));
});

/** Files whose names tell what is in them come from here; pages of ours from the network as long as there is one. */
addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (/^\/here(\/|$)/.test(pathname)) event.respondWith(fetch(request).catch(() => caches.match(PAGE)));
  } else if (FILES.includes(pathname)) {
    event.respondWith(caches.match(pathname).then((kept) => kept ?? fetch(request)));
  }
});
