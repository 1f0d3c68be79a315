/**
 * The house of a page: Python in a worker of its own, opened at `polyopolis.browser_backend.entry_point`. It is told what the page wants and
 * tells it what the tables say, in the same words as over a network.
 */
import type { PyodideInterface } from 'pyodide';
import { opened, STACK, type Kernel } from '../../kernels/kernel';
import { Cupboard } from './cupboard';
import { countedFetch } from './loading';
import { unpack, type Files } from './unpacking';
import type { FromHouse, Source, ToHouse } from './words';

interface Door {
  request(method: string, path: string, body: string): Promise<string>;
  connect(line: number, path: string): void;
  say(line: number, text: string): void;
  leave(line: number): void;
}

/** What is left to do once everything has arrived: Python begins, and imports us. */
const BEGUN = 0.8;
const HOUSE = '/house';

const CODE = import.meta.glob<string>('../../kernels/*.wasm', { eager: true, import: 'default', query: '?url' });

const tell = (message: FromHouse): void => postMessage(message);

async function open(from: Source): Promise<Door> {
  const home = from.folder;
  globalThis.fetch = countedFetch(from, (share) => tell({ type: 'progress', share: BEGUN * share }));
  const cupboard = Cupboard.open(() => tell({ type: 'elsewhere' }));
  const load = async (address: string): Promise<ArrayBuffer> => (await fetch(address)).arrayBuffer();
  const ours = load(`${home}polyopolis.files`);
  const code = Object.entries(CODE).map(async ([path, address]) => [path, await load(address)] as const);
  const { loadPyodide } = (await import(/* @vite-ignore */ `${home}pyodide.mjs`)) as typeof import('pyodide');
  const python = await loadPyodide({ indexURL: home, env: { HOME: HOUSE } });
  unpack(await ours, HOUSE, python.FS as Files);
  (python.pyimport('sys') as { path: { append(folder: string): void } }).path.append(HOUSE);
  await lend(python, Object.fromEntries(await Promise.all(code)));
  tell({ type: 'progress', share: 0.9 });
  const door = python.pyimport('polyopolis.browser_backend.entry_point') as { open_entry_point(...needs: unknown[]): Promise<Door> };
  return door.open_entry_point(await cupboard, (line: number, what: 'open' | 'message' | 'close', text: string) =>
    tell({ type: 'line', line, what, text }),
  );
}

/** What of Pyodide's inside kernels work with: the memory of Python itself. */
interface Inside {
  readonly memory: WebAssembly.Memory;
  _malloc(bytes: number): number;
}

/** The kernels, for `polyopolis_wasm.py`. */
async function lend(python: PyodideInterface, code: Readonly<Record<string, ArrayBuffer>>): Promise<void> {
  const inside = (python as unknown as { readonly _module: Inside })._module;
  const kernels: Record<string, Kernel> = {};
  for (const [path, module] of Object.entries(code)) {
    const name = path.slice(path.lastIndexOf('/') + 1).replace('.wasm', '');
    kernels[name] = await opened(module, inside.memory, inside._malloc(STACK) + STACK);
  }
  python.registerJsModule('modules_of_the_page', {
    run: (kernel: string, name: string, slots: number) => kernels[kernel]?.(name, slots),
  });
}

let door: Promise<Door> | null = null;

async function hear(message: ToHouse): Promise<void> {
  if (message.type === 'open') {
    door = open(message.from);
    await door;
    return tell({ type: 'ready' });
  }
  const house = await door;
  if (!house) return;
  switch (message.type) {
    case 'request': {
      const said = await house.request(message.method, message.path, message.body);
      return tell({ type: 'answer', ask: message.ask, status: Number(said.slice(0, 3)), text: said.slice(4) });
    }
    case 'connect':
      return house.connect(message.line, message.path);
    case 'say':
      return house.say(message.line, message.text);
    case 'leave':
      return house.leave(message.line);
  }
}

addEventListener('message', ({ data }: MessageEvent<ToHouse>) => {
  hear(data).catch((error: unknown) => tell({ type: 'failed', problem: String(error) }));
});
