import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { loadPyodide } from 'pyodide';
import type { Plugin } from 'vite';

/** What a page imports to learn where the house is that it can open by itself, and how much there is to load. */
const MODULE = 'virtual:house';
const PYODIDE = new URL('./node_modules/pyodide/', import.meta.url);
const WHEELS = new URL('./wheels/', import.meta.url);
const HOUSE = new URL('./house/', import.meta.url);
const CACHE = new URL('./node_modules/.cache/polyopolis/', import.meta.url);
const SOURCES = new URL('../src/polyopolis/', import.meta.url);
const RUNTIME = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm', 'python_stdlib.zip', 'pyodide-lock.json'];
/** What is Python and comes as bytecode. */
const MADE = ['python_stdlib.zip', 'polyopolis.zip'];
/** The packages of ours that a house in a page is made of; the others need a server, a terminal or numba. */
const PACKAGES = ['engine', 'geometry', 'games', 'records', 'kernels', 'bots', 'play', 'page'];
const TEXTS = /\.(py|toml)$/;
const ICON = new URL('./public/icon.svg', import.meta.url);
const OFFLINE = new URL('./offline.js', import.meta.url);
const MEGABYTE = 1e6;

interface Bundle {
  /** Its name tells what is in it. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** The same, as it travels. */
  readonly packed: ReadonlyMap<string, Buffer>;
}

/** Our own Python: its texts by their paths. Whoever asks for the version finds it where pip would put it. */
function sources(version: string): Record<string, string> {
  const texts = PACKAGES.flatMap((name) =>
    readdirSync(new URL(`${name}/`, SOURCES), { recursive: true, encoding: 'utf8' })
      .filter((file) => TEXTS.test(file))
      .map((file) => `${name}/${file.replaceAll('\\', '/')}`),
  );
  const files = ['__init__.py', ...texts.sort()].map((path): [string, string] => [
    `polyopolis/${path}`,
    readFileSync(new URL(path, SOURCES), 'utf8'),
  ]);
  return {
    ...Object.fromEntries(files),
    'polyopolis_wasm.py': readFileSync(new URL('polyopolis_wasm.py', HOUSE), 'utf8'),
    [`polyopolis-${version}.dist-info/METADATA`]: `Metadata-Version: 2.1\nName: polyopolis\nVersion: ${version}\n`,
  };
}

/** The part of Emscripten's file system that is needed here. */
interface Files {
  writeFile(path: string, data: string | Uint8Array): void;
  readFile(path: string): Uint8Array;
}

/** Python's library and ours as bytecode, made by the Python that pages have; the last ones are kept. */
async function bytecode(library: Buffer, ours: string, digest: string): Promise<Buffer[]> {
  const kept = MADE.map((name) => new URL(`${digest}-${name}`, CACHE));
  if (!kept.every((file) => existsSync(file))) {
    const python = await loadPyodide();
    const disk = python.FS as Files;
    disk.writeFile('/python_stdlib.zip', library);
    disk.writeFile('/polyopolis.json', ours);
    python.runPython(readFileSync(new URL('compiling.py', HOUSE), 'utf8'));
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    for (const [index, file] of kept.entries())
      writeFileSync(file, disk.readFile(`/${MADE[index]!.replace('.zip', '.made')}`));
  }
  return kept.map((file) => readFileSync(file));
}

/** The wheels that Pyodide does not bring, pinned in `wheels.txt`. */
function wheels(): string[] {
  let found: string[] = [];
  try {
    found = readdirSync(WHEELS).filter((file) => file.endsWith('.whl'));
  } catch {
    // the same as none
  }
  if (!found.length) throw new Error('client/wheels is empty: run `make client/wheels/.ready`');
  return found;
}

async function bundled(version: string): Promise<Bundle> {
  const files = new Map<string, Buffer>();
  for (const file of RUNTIME) files.set(file, readFileSync(new URL(file, PYODIDE)));
  for (const file of wheels()) files.set(file, readFileSync(new URL(file, WHEELS)));
  const ours = JSON.stringify(sources(version));
  const made = createHash('sha256')
    .update(ours)
    .update(readFileSync(new URL('compiling.py', HOUSE)));
  for (const [name, data] of files) made.update(`${name}\0${data.length}\0`).update(data);
  const digest = made.digest('hex').slice(0, 12);
  const compiled = await bytecode(files.get('python_stdlib.zip')!, ours, digest);
  for (const [index, name] of MADE.entries()) files.set(name, compiled[index]!);
  const packed = new Map([...files].map(([name, data]) => [name, gzipSync(data, { level: 9 })]));
  return { folder: `assets/house-${digest}`, files, packed };
}

const total = (files: ReadonlyMap<string, Buffer>): number =>
  [...files.values()].reduce((sum, { length }) => sum + length, 0);

/** The service worker, told which files there are. The names of all but the icon tell what is in them. */
function offline(names: readonly string[]): string {
  const files = [...names.map((name) => `/${name.replace(/\.gz$/, '')}`), '/icon.svg'].sort();
  const version = createHash('sha256').update(files.join('\n')).update(readFileSync(ICON)).digest('hex').slice(0, 12);
  return readFileSync(OFFLINE, 'utf8').replace('__VERSION__', version).replace('__FILES__', JSON.stringify(files));
}

/**
 * Puts a whole house into the built client, for pages that have no server: Pyodide, the wheels and our own Python, packed,
 * in a folder that bears the digest of what all was made from. Nobody loads any of it before they want it.
 */
export function houseForPages(version: string): Plugin {
  let bundle: Promise<Bundle> | undefined;
  const whole = (): Promise<Bundle> => (bundle ??= bundled(version));
  return {
    name: 'house-for-pages',
    resolveId: (id) => (id === MODULE ? `\0${MODULE}` : undefined),
    async load(id) {
      if (id !== `\0${MODULE}`) return undefined;
      const { folder, files, packed } = await whole();
      const bytes = Object.fromEntries([...files].map(([name, data]) => [name, data.length]));
      const said = { FOLDER: `/${folder}/`, BYTES: bytes, SIZE: total(packed) };
      return Object.entries(said)
        .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};`)
        .join('\n');
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const asked = /^\/assets\/house-[^/]+\/([^/?]+)/.exec(request.url ?? '')?.[1];
        if (asked === undefined) return next();
        void whole().then(({ files }) => {
          response.setHeader('content-type', mediaType(asked));
          response.end(files.get(asked));
        }, next);
      });
    },
    generateBundle: {
      order: 'post',
      async handler(_, built) {
        const { folder, files, packed } = await whole();
        for (const [name, source] of packed) this.emitFile({ type: 'asset', fileName: `${folder}/${name}.gz`, source });
        const ours = [...packed.keys()].map((name) => `${folder}/${name}`);
        const names = Object.keys(built).filter((name) => name.startsWith('assets/'));
        this.emitFile({ type: 'asset', fileName: 'offline.js', source: offline([...new Set([...names, ...ours])]) });
        const [wire, plain] = [packed, files].map((some) => `${(total(some) / MEGABYTE).toFixed(1)} MB`);
        this.info(`the house for pages: ${wire} over the wire, ${plain} unpacked, in ${folder}`);
      },
    },
  };
}

function mediaType(name: string): string {
  if (name.endsWith('.mjs')) return 'text/javascript';
  if (name.endsWith('.wasm')) return 'application/wasm';
  return name.endsWith('.json') ? 'application/json' : 'application/octet-stream';
}
