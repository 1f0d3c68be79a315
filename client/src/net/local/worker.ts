/**
 * The web worker of a local backend. It runs Python and starts `polyopolis.browser_backend.entry_point`, passes on
 * the requests and messages of the page, and returns what the tables send. The format is the one of the network.
 */
import type { PyodideInterface } from 'pyodide';
import { openKernel, STACK_BYTES, type Kernel } from '../../kernels/kernel';
import { countedFetch } from './countedFetch';
import { RowStorage } from './storage';
import { unpackFiles, type FileSystem } from './unpackFiles';
import type { FromWorker, BundleSource, ToWorker } from './workerMessages';

interface PythonBackend {
  request(method: string, path: string, body: string): Promise<string>;
  connect(line: number, path: string): void;
  say(line: number, text: string): void;
  leave(line: number): void;
}

/** Share of the progress that is loading; the rest is the start of Python and the import of our packages. */
const LOADED_SHARE = 0.8;
const PACKAGES_FOLDER = '/house';

const KERNEL_ADDRESSES = import.meta.glob<string>('../../kernels/*.wasm', {
  eager: true,
  import: 'default',
  query: '?url',
});

const post = (message: FromWorker): void => postMessage(message);

async function startPython(from: BundleSource): Promise<PythonBackend> {
  const home = from.folder;
  globalThis.fetch = countedFetch(from, (share) => post({ type: 'progress', share: LOADED_SHARE * share }));
  const storage = RowStorage.open(() => post({ type: 'elsewhere' }));
  const load = async (address: string): Promise<ArrayBuffer> => (await fetch(address)).arrayBuffer();
  const ours = load(`${home}polyopolis.files`);
  const code = Object.entries(KERNEL_ADDRESSES).map(async ([path, address]) => [path, await load(address)] as const);
  const { loadPyodide } = (await import(/* @vite-ignore */ `${home}pyodide.mjs`)) as typeof import('pyodide');
  const python = await loadPyodide({ indexURL: home, env: { HOME: PACKAGES_FOLDER } });
  unpackFiles(await ours, PACKAGES_FOLDER, python.FS as FileSystem);
  (python.pyimport('sys') as { path: { append(folder: string): void } }).path.append(PACKAGES_FOLDER);
  await provideKernels(python, Object.fromEntries(await Promise.all(code)));
  post({ type: 'progress', share: 0.9 });
  const entryPoint = python.pyimport('polyopolis.browser_backend.entry_point') as {
    open_entry_point(...needs: unknown[]): Promise<PythonBackend>;
  };
  return entryPoint.open_entry_point(await storage, (line: number, what: 'open' | 'message' | 'close', text: string) =>
    post({ type: 'line', line, what, text }),
  );
}

/** The internals of Pyodide that kernels need: the memory of Python. */
interface PyodideModule {
  readonly memory: WebAssembly.Memory;
  _malloc(bytes: number): number;
}

/** Provides the kernels to `polyopolis_wasm.py`. */
async function provideKernels(python: PyodideInterface, code: Readonly<Record<string, ArrayBuffer>>): Promise<void> {
  const inside = (python as unknown as { readonly _module: PyodideModule })._module;
  const kernels: Record<string, Kernel> = {};
  for (const [path, module] of Object.entries(code)) {
    const name = path.slice(path.lastIndexOf('/') + 1).replace('.wasm', '');
    kernels[name] = await openKernel(module, inside.memory, inside._malloc(STACK_BYTES) + STACK_BYTES);
  }
  python.registerJsModule('modules_of_the_page', {
    run: (kernel: string, name: string, slots: number) => kernels[kernel]?.(name, slots),
  });
}

let backend: Promise<PythonBackend> | null = null;

async function receive(message: ToWorker): Promise<void> {
  if (message.type === 'open') {
    backend = startPython(message.from);
    await backend;
    return post({ type: 'ready' });
  }
  const python = await backend;
  if (!python) return;
  switch (message.type) {
    case 'request': {
      const said = await python.request(message.method, message.path, message.body);
      return post({ type: 'answer', ask: message.ask, status: Number(said.slice(0, 3)), text: said.slice(4) });
    }
    case 'connect':
      return python.connect(message.line, message.path);
    case 'say':
      return python.say(message.line, message.text);
    case 'leave':
      return python.leave(message.line);
  }
}

addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  receive(data).catch((error: unknown) => post({ type: 'failed', problem: String(error) }));
});
