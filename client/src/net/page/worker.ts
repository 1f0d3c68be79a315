/**
 * The house of a page: Python in a worker of its own, opened at `polyopolis.page.door`. It is told what the page wants and
 * tells it what the tables say, in the same words as over a network.
 */
import type { PyodideInterface } from 'pyodide';
import { Cupboard } from './cupboard';
import { countedFetch } from './loading';
import type { FromHouse, ToHouse } from './words';

interface Door {
  request(method: string, path: string, body: string): Promise<string>;
  connect(line: number, path: string): void;
  say(line: number, text: string): void;
  leave(line: number): void;
}

/** What is left to do once everything has arrived: Python begins, and imports us. */
const BEGUN = 0.8;
const HOUSE = '/house';

const tell = (message: FromHouse): void => postMessage(message);

async function open(folder: string, bytes: Readonly<Record<string, number>>): Promise<Door> {
  const home = new URL(folder, location.href).href;
  globalThis.fetch = countedFetch(home, bytes, (share) => tell({ type: 'progress', share: BEGUN * share }));
  const cupboard = Cupboard.open(() => tell({ type: 'elsewhere' }));
  const ours = fetch(`${home}polyopolis.json`).then((answer) => answer.json() as Promise<Record<string, string>>);
  const wheels = Object.keys(bytes)
    .filter((name) => name.endsWith('.whl'))
    .map(async (name) => (await fetch(home + name)).arrayBuffer());
  const { loadPyodide } = (await import(/* @vite-ignore */ `${home}pyodide.mjs`)) as typeof import('pyodide');
  const python = await loadPyodide({ indexURL: home, env: { HOME: HOUSE } });
  for (const wheel of await Promise.all(wheels)) python.unpackArchive(wheel, 'wheel');
  furnish(python, await ours);
  tell({ type: 'progress', share: 0.9 });
  const door = python.pyimport('polyopolis.page.door') as { open_door(...needs: unknown[]): Promise<Door> };
  return door.open_door(await cupboard, (line: number, what: 'open' | 'message' | 'close', text: string) =>
    tell({ type: 'line', line, what, text }),
  );
}

/** The part of Emscripten's file system that is needed here. */
interface Files {
  mkdirTree(folder: string): void;
  writeFile(path: string, text: string): void;
}

/** Our own Python, where it is found. */
function furnish(python: PyodideInterface, files: Readonly<Record<string, string>>): void {
  const disk = python.FS as Files;
  for (const [path, text] of Object.entries(files)) {
    const file = `${HOUSE}/${path}`;
    disk.mkdirTree(file.slice(0, file.lastIndexOf('/')));
    disk.writeFile(file, text);
  }
  (python.pyimport('sys') as { path: { append(folder: string): void } }).path.append(HOUSE);
}

let door: Promise<Door> | null = null;

async function hear(message: ToHouse): Promise<void> {
  if (message.type === 'open') {
    door = open(message.folder, message.bytes);
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
