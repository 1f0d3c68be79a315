import { expect, it, vi } from 'vitest';
import { ApiError } from '../backend';
import { countedFetch } from './countedFetch';
import { LocalBackend, type BackendObserver } from './localBackend';
import { unpackFiles } from './unpackFiles';
import type { FromWorker, ToWorker } from './workerMessages';

vi.mock('virtual:local-backend', () => ({ FOLDER: '/assets/house/', BYTES: {} }));

const FROM = { folder: '/house/', bytes: { 'a.zip': 4, 'b.wasm': 4 }, packed: false };

/** A fake worker that the test answers for. */
function opened() {
  const said: ToWorker[] = [];
  const listeners: ((event: { data: FromWorker }) => void)[] = [];
  const worker = {
    postMessage: (message: ToWorker) => void said.push(message),
    addEventListener: (kind: string, listener: never) => void (kind === 'message' && listeners.push(listener)),
  };
  const watcher = { progress: vi.fn(), ready: vi.fn(), failed: vi.fn(), elsewhere: vi.fn() } satisfies BackendObserver;
  const backend = new LocalBackend(worker, watcher, FROM);
  return { backend, said, watcher, answer: (data: FromWorker) => listeners.forEach((listener) => listener({ data })) };
}

it('matches answers to requests in any order', async () => {
  const { backend, said, answer } = opened();
  expect(said).toEqual([{ type: 'open', from: FROM }]);
  const [first, second] = [backend.request('/hello'), backend.request('/tables', { game: 'x' })];
  expect(said.slice(1)).toEqual([
    { type: 'request', ask: 1, method: 'GET', path: '/hello', body: '' },
    { type: 'request', ask: 2, method: 'POST', path: '/tables', body: '{"game":"x"}' },
  ]);
  answer({ type: 'answer', ask: 2, status: 404, text: '{"error":"there is no game"}' });
  answer({ type: 'answer', ask: 1, status: 200, text: '{"version":"1"}' });
  await expect(first).resolves.toEqual({ version: '1' });
  await expect(second).rejects.toEqual(new ApiError(404, 'there is no game'));
});

it('opens lines that work like a WebSocket', () => {
  const { backend, said, answer } = opened();
  const wire = backend.connect('/tables/t/socket');
  const heard: unknown[] = [];
  wire.onopen = () => heard.push('open');
  wire.onmessage = ({ data }) => heard.push(data);
  wire.onclose = ({ code }) => heard.push(code);
  answer({ type: 'line', line: 1, what: 'open', text: '' });
  answer({ type: 'line', line: 1, what: 'message', text: '{}' });
  wire.send('act');
  answer({ type: 'line', line: 1, what: 'close', text: '4404' });
  wire.close();
  answer({ type: 'line', line: 1, what: 'message', text: 'late' });
  expect(heard).toEqual(['open', '{}', 4404]);
  expect(said.slice(1)).toEqual([
    { type: 'connect', line: 1, path: '/tables/t/socket' },
    { type: 'say', line: 1, text: 'act' },
    { type: 'leave', line: 1 },
  ]);
});

it('counts bytes from its folder only, and passes WebAssembly on unchanged', async () => {
  const shares: number[] = [];
  const answers: Response[] = [];
  const plain = (): Promise<Response> => {
    answers.push(new Response('four'));
    return Promise.resolve(answers.at(-1)!);
  };
  const fetched = countedFetch(FROM, (share) => shares.push(share), plain);
  expect(await (await fetched('/house/a.zip')).text()).toBe('four');
  expect(await fetched('/elsewhere/c.js')).toBe(answers.at(-1));
  const wasm = await fetched('/house/b.wasm');
  expect(wasm).toBe(answers.at(-1));
  expect(await wasm.text()).toBe('four');
  await vi.waitFor(() => expect(shares).toEqual([0.5, 1]));
});

it('unpacks compressed files, and counts the unpacked bytes', async () => {
  const shares: number[] = [];
  const asked: unknown[] = [];
  const plain = (address: unknown): Promise<Response> => {
    asked.push(address);
    return Promise.resolve(new Response(new Blob(['four']).stream().pipeThrough(new CompressionStream('gzip'))));
  };
  const fetched = countedFetch({ ...FROM, packed: true }, (share) => shares.push(share), plain);
  const wasm = await fetched('/house/b.wasm');
  expect(wasm.headers.get('content-type')).toBe('application/wasm');
  expect(await wasm.text()).toBe('four');
  expect(shares).toEqual([0.5]);
  await fetched('/assets/kernel.wasm');
  expect(asked).toEqual(['/house/b.wasm.bin', '/assets/kernel.wasm']);
});

it('unpacks a bundle', () => {
  const row = new TextEncoder().encode('{"a.py":3,"deep/b":0,"deep/c.net":4}\none\ntwo');
  const written = new Map<string, string>();
  const folders: string[] = [];
  unpackFiles(row.buffer, '/house', {
    mkdirTree: (folder) => void folders.push(folder),
    writeFile: (path, data) => void written.set(path, new TextDecoder().decode(data)),
  });
  expect(Object.fromEntries(written)).toEqual({
    '/house/a.py': 'one',
    '/house/deep/b': '',
    '/house/deep/c.net': '\ntwo',
  });
  expect(folders).toEqual(['/house', '/house/deep']);
});
