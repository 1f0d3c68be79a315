import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const HOST = 'https://host';

/** Runs the service worker in a fake browser. */
function opened(place: string, packed: readonly string[] = []) {
  const source = readFileSync(new URL('offline.js', import.meta.url), 'utf8')
    .replace('__VERSION__', 'v2')
    .replace('__HASHED__', '["assets/a.js","assets/house/b.wasm"]')
    .replace('__OTHERS__', '["icon.svg"]')
    .replace('const PACKED = []', `const PACKED = ${JSON.stringify(packed)}`);
  const listeners = new Map<string, (event: object) => void>();
  const stores = new Map<string, Map<string, Response>>();
  const wire: string[] = [];
  let over = false;
  const fetched = (asked: Request | string): Promise<Response> => {
    const address = typeof asked === 'string' ? asked : asked.url;
    wire.push(address);
    return Promise.resolve(new Response(address.endsWith('.bin') ? gzipSync('unpacked') : `new ${address}`));
  };
  const open = (name: string) => {
    const store = stores.get(name) ?? new Map<string, Response>();
    stores.set(name, store);
    return Promise.resolve({
      addAll: async (asked: (Request | string)[]) => {
        for (const one of asked) store.set(typeof one === 'string' ? one : one.url, await fetched(one));
      },
      put: async (address: string, answer: Response) =>
        void store.set(address, new Response(await answer.text(), answer)),
      match: (address: string) => Promise.resolve(store.get(address)?.clone()),
    });
  };
  const around = {
    location: new URL(`${place}offline.js`, HOST),
    addEventListener: (kind: string, listener: (event: object) => void) => void listeners.set(kind, listener),
    caches: {
      open,
      keys: () => Promise.resolve([...stores.keys()]),
      delete: (name: string) => Promise.resolve(stores.delete(name)),
    },
    clients: { claim: () => Promise.resolve() },
    fetch: fetched,
    skipWaiting: () => void (over = true),
  };
  new Function(...Object.keys(around), source)(...Object.values(around));
  const happen = async (kind: string, event: object = {}): Promise<void> => {
    let done: Promise<unknown> = Promise.resolve();
    listeners.get(kind)!({ ...event, waitUntil: (what: Promise<unknown>) => (done = what) });
    await done;
  };
  const ask = async (path: string, mode = 'cors', method = 'GET'): Promise<string | null> => {
    let answer: Promise<Response> | null = null;
    const request = { url: new URL(path, HOST).href, mode, method };
    listeners.get('fetch')!({ request, respondWith: (said: Promise<Response>) => (answer = said) });
    return answer && ((await answer) as Response).text();
  };
  return { ask, happen, stores, wire, taken: () => over };
}

it('answers on a server only for pages under /here and for cached files, from one build', async () => {
  const { ask, happen, wire } = opened('/');
  await happen('install');
  wire.length = 0;
  expect(await ask('/here/t/x', 'navigate')).toBe('new https://host/');
  expect(await ask('/here', 'navigate')).toBe('new https://host/');
  expect(await ask('/assets/a.js')).toBe('new https://host/assets/a.js');
  expect(await ask('/icon.svg')).toBe('new https://host/icon.svg');
  for (const path of ['/', '/t/x', '/hereafter']) expect(await ask(path, 'navigate')).toBeNull();
  expect(await ask('/api/hello')).toBeNull();
  expect(await ask('/assets/a.js', 'cors', 'POST')).toBeNull();
  expect(wire).toEqual([]);
});

it('answers on a static host for its folder only, and unpacks compressed files', async () => {
  const { ask, happen, wire } = opened('/some/folder/', ['assets/house/b.wasm']);
  await happen('install');
  expect(wire).not.toContain('https://host/some/folder/assets/house/b.wasm');
  expect(await ask('/some/folder/assets/house/b.wasm')).toBe('unpacked');
  expect(await ask('/some/folder/?/t/x', 'navigate')).toBe('new https://host/some/folder/');
  expect(await ask('/some/folder/index.html', 'navigate')).toBe('new https://host/some/folder/');
  for (const path of ['/', '/some/', '/some/folder/other/', '/here/']) expect(await ask(path, 'navigate')).toBeNull();
});

it('fetches files that the browser has evicted', async () => {
  const { ask, happen, stores } = opened('/some/folder/', ['assets/house/b.wasm']);
  await happen('install');
  for (const store of stores.values()) store.clear();
  expect(await ask('/some/folder/assets/house/b.wasm')).toBe('unpacked');
  expect(await ask('/some/folder/?/t/x', 'navigate')).toBe('new https://host/some/folder/?/t/x');
});

it('deletes the caches of older builds only', async () => {
  const { happen, stores, taken } = opened('/some/folder/', ['assets/house/b.wasm']);
  const others = ['polyopolis https://host/some/folder/deeper/ v1', 'polyopolis https://host/ v1', 'their own'];
  for (const name of [...others, 'polyopolis https://host/some/folder/ v1']) stores.set(name, new Map());
  await happen('install');
  expect(taken()).toBe(false);
  await happen('activate');
  expect([...stores.keys()].sort()).toEqual([...others, 'polyopolis https://host/some/folder/ v2'].sort());
  await happen('message', { data: 'take over' });
  expect(taken()).toBe(true);
});
