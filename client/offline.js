/**
 * The service worker of pages without a server. It caches all files of the client, so that they open without a
 * network. The build writes the list of files, by names relative to this file. A page and its parts always come from
 * one build: a new build is another worker, which waits until all pages are closed or the player asks for it, so
 * that nothing changes during a match.
 */
const VERSION = '__VERSION__';
/** Files with a hash in their names, and others. */
const HASHED = __HASHED__;
const OTHERS = __OTHERS__;
/**
 * Files that a static host stores compressed, as NAME.bin (`polyopolis site` writes the list); the cache stores them
 * unpacked.
 */
const PACKED = [];

const at = (name) => new URL(name, location.href).href;
const [PAGE, FILES] = [at('./'), new Set([...HASHED, ...OTHERS].map(at))];
/** Other folders of the same host may have caches, too. */
const [MINE, KEPT] = [`polyopolis ${PAGE} `, `polyopolis ${PAGE} ${VERSION}`];
const HOME = new URL(PAGE).pathname;

/** Pages of this worker: on a static host the folder itself, on a server those under `here`. */
function isOurs({ pathname }) {
  return PACKED.length ? pathname === HOME || pathname === `${HOME}index.html` : /^\/here(\/|$)/.test(pathname);
}

async function keepPacked(cache, name) {
  const packed = await fetch(at(`${name}.bin`));
  if (!packed.ok) throw new Error(`${name}: ${packed.status}`);
  const type = name.endsWith('.wasm') ? 'application/wasm' : 'application/octet-stream';
  const plain = packed.body.pipeThrough(new DecompressionStream('gzip'));
  await cache.put(at(name), new Response(plain, { headers: { 'content-type': type } }));
}

async function keep() {
  const cache = await caches.open(KEPT);
  const fresh = ['./', ...OTHERS].map((name) => new Request(at(name), { cache: 'no-cache' }));
  const plain = HASHED.filter((name) => !PACKED.includes(name)).map(at);
  await Promise.all([cache.addAll([...fresh, ...plain]), ...PACKED.map((name) => keepPacked(cache, name))]);
}

async function forget() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(MINE) && name !== KEPT).map((name) => caches.delete(name)));
}

async function kept(address, request) {
  const cache = await caches.open(KEPT);
  const found = await cache.match(address);
  if (found) return found;
  const packed = PACKED.find((name) => at(name) === address);
  if (!packed) return fetch(request);
  await keepPacked(cache, packed); // the browser may have evicted it
  return cache.match(address);
}

addEventListener('install', (event) => event.waitUntil(keep()));

addEventListener('activate', (event) => event.waitUntil(forget().then(() => clients.claim())));

addEventListener('message', ({ data }) => {
  if (data === 'take over') skipWaiting();
});

addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') {
    if (isOurs(url)) event.respondWith(kept(PAGE, request));
  } else if (FILES.has(url.href)) event.respondWith(kept(url.href, request));
});
