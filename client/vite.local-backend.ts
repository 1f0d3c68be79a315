import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { loadPyodide } from 'pyodide';
import type { Plugin, Rolldown } from 'vite';

/** The virtual module with the address of the bundle. */
const VIRTUAL_MODULE = 'virtual:local-backend';
const PYODIDE = new URL('./node_modules/pyodide/', import.meta.url);
const WHEELS = new URL('./wheels/', import.meta.url);
const PYTHON = new URL('./pyodide/', import.meta.url);
const CACHE = new URL('./node_modules/.cache/polyopolis/', import.meta.url);
const SOURCES = new URL('../src/polyopolis/', import.meta.url);
const RUNTIME = ['pyodide.mjs', 'pyodide.asm.mjs', 'pyodide.asm.wasm'];
/** The packages that Pyodide offers, of which none is used. */
const LOCK = 'pyodide-lock.json';
const LIBRARY = 'python_stdlib.zip';
/** Archives with bytecode, which the build compiles. */
const COMPILED = [LIBRARY, 'polyopolis.files'];
/** The packages of the local backend; the others need a server, a terminal or numba. */
const PACKAGES = ['engine', 'geometry', 'games', 'records', 'kernels', 'bots', 'analysis', 'play', 'browser_backend'];
/** Modules that replace those of a server. */
const PAGE_MODULES = ['polyopolis_wasm.py', 'tomllib.py'];
/** Caches of Python and numba belong to the machine. */
const CACHED_BYTECODE = /(^|[/\\])__pycache__[/\\]/;
const PUBLIC = new URL('./public/', import.meta.url);
const OFFLINE = new URL('./offline.js', import.meta.url);
const MEGABYTE = 1e6;

interface Bundle {
  /** The name contains a digest of the content. */
  readonly folder: string;
  readonly files: ReadonlyMap<string, Buffer>;
  /** The same files, compressed. */
  readonly packed: ReadonlyMap<string, Buffer>;
}

/**
 * The Python source and data files by path, decoded as latin-1 because some are binary. The version is written in,
 * because looking it up with importlib takes longer than importing `play/`.
 */
export function pythonSources(version: string): Record<string, string> {
  const paths = PACKAGES.flatMap((name) =>
    readdirSync(new URL(`${name}/`, SOURCES), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(fileURLToPath(SOURCES), join(entry.parentPath, entry.name)))
      .filter((path) => !CACHED_BYTECODE.test(path))
      .map((path) => path.replaceAll('\\', '/')),
  );
  const modules = readdirSync(SOURCES).filter((name) => name.endsWith('.py'));
  const files = [...modules.sort(), ...paths.sort()].map((path): [string, string] => [
    `polyopolis/${path}`,
    readFileSync(new URL(path, SOURCES), 'latin1'),
  ]);
  return {
    ...Object.fromEntries(files),
    'polyopolis/play/version.py': `VERSION = ${JSON.stringify(version)}\n`,
    ...Object.fromEntries(PAGE_MODULES.map((name) => [name, readFileSync(new URL(name, PYTHON), 'latin1')])),
  };
}

/** The part of Emscripten's file system that is used here. */
interface Files {
  writeFile(path: string, data: string | Uint8Array): void;
  readFile(path: string): Uint8Array;
}

/** Compiles Python's library, the wheels and our packages with the Python of Pyodide. The result is cached. */
async function compileBytecode(given: ReadonlyMap<string, Buffer>, ours: string, digest: string): Promise<Buffer[]> {
  const kept = COMPILED.map((name) => new URL(`${digest}-${name}`, CACHE));
  if (!kept.every((file) => existsSync(file))) {
    const python = await loadPyodide();
    const disk = python.FS as Files;
    for (const [name, data] of given) disk.writeFile(`/${name}`, data);
    disk.writeFile('/polyopolis.json', ours);
    python.runPython(readFileSync(new URL('compiling.py', PYTHON), 'utf8'));
    rmSync(CACHE, { recursive: true, force: true });
    mkdirSync(CACHE, { recursive: true });
    for (const [index, file] of kept.entries())
      writeFileSync(file, disk.readFile(`/${COMPILED[index]!.replace(/\.\w+$/, '.made')}`));
  }
  return kept.map((file) => readFileSync(file));
}

/** The wheels that Pyodide does not include, pinned in `wheels.txt`. */
function wheelFiles(): string[] {
  let found: string[] = [];
  try {
    found = readdirSync(WHEELS).filter((file) => file.endsWith('.whl'));
  } catch {
    // the same as an empty folder
  }
  if (!found.length) throw new Error('client/wheels is empty: run `make client/wheels/.ready`');
  return found;
}

async function buildBundle(version: string): Promise<Bundle> {
  const files = new Map<string, Buffer>(RUNTIME.map((file) => [file, readFileSync(new URL(file, PYODIDE))]));
  const lock = JSON.parse(readFileSync(new URL(LOCK, PYODIDE), 'utf8')) as object;
  files.set(LOCK, Buffer.from(JSON.stringify({ ...lock, packages: {} })));
  const given = new Map<string, Buffer>(wheelFiles().map((file) => [file, readFileSync(new URL(file, WHEELS))]));
  given.set(LIBRARY, readFileSync(new URL(LIBRARY, PYODIDE)));
  const ours = JSON.stringify(pythonSources(version));
  const made = createHash('sha256')
    .update(ours)
    .update(readFileSync(new URL('compiling.py', PYTHON)));
  for (const [name, data] of [...files, ...given]) made.update(`${name}\0${data.length}\0`).update(data);
  const digest = made.digest('hex').slice(0, 12);
  const compiled = await compileBytecode(given, ours, digest);
  for (const [index, name] of COMPILED.entries()) files.set(name, compiled[index]!);
  const packed = new Map([...files].map(([name, data]) => [name, gzipSync(data, { level: 9 })]));
  return { folder: `assets/house-${digest}`, files, packed };
}

const total = (files: Iterable<Buffer>): number => [...files].reduce((sum, { length }) => sum + length, 0);

/** The compressed size of the client without the bundle. */
function clientBytes(built: Rolldown.OutputBundle): number {
  const parts = Object.values(built).map((part) => gzipSync(part.type === 'chunk' ? part.code : part.source));
  return total(parts) + total([...publicFiles().values()].map((file) => gzipSync(file)));
}

/** The service worker with its list of files: those with a hash in their names, and others. */
function serviceWorkerSource(hashed: readonly string[], others: ReadonlyMap<string, string | Uint8Array>): string {
  const files = hashed.map((name) => name.replace(/\.gz$/, '')).sort();
  const made = createHash('sha256').update(files.join('\n')).update(readFileSync(OFFLINE));
  for (const [name, data] of others) made.update(`${name}\0`).update(data);
  return readFileSync(OFFLINE, 'utf8')
    .replace('__VERSION__', made.digest('hex').slice(0, 12))
    .replace('__HASHED__', JSON.stringify(files))
    .replace('__OTHERS__', JSON.stringify([...others.keys()].sort()));
}

/** Files that are copied unchanged. */
function publicFiles(): Map<string, Buffer> {
  const names = readdirSync(PUBLIC, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(names.map(({ name }) => [name, readFileSync(new URL(name, PUBLIC))]));
}

/**
 * Adds the local backend to the built client: Pyodide, the wheels and our Python packages, compressed, in a folder
 * with a digest in its name. It is loaded only on request.
 */
export function localBackend(version: string): Plugin {
  let bundle: Promise<Bundle> | undefined;
  let building = false;
  const whole = (): Promise<Bundle> => (bundle ??= buildBundle(version));
  return {
    name: 'local-backend',
    config: (_, { command }) => void (building = command === 'build'),
    resolveId: (id) => (id === VIRTUAL_MODULE ? `\0${id}` : undefined),
    async load(id) {
      if (id !== `\0${VIRTUAL_MODULE}`) return undefined;
      const { folder, files } = await whole();
      const bytes = Object.fromEntries([...files].map(([name, data]) => [name, data.length]));
      // relative to the chunk that imports it
      const place = building
        ? `new URL('./${basename(folder)}/', import.meta.url).href`
        : JSON.stringify(`/${folder}/`);
      return `export const FOLDER = ${place};\nexport const BYTES = ${JSON.stringify(bytes)};`;
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
    // in the page itself: a chunk with a hash in its name cannot contain the sizes of the others
    transformIndexHtml: {
      order: 'post',
      async handler(page, { bundle: built }) {
        const all = total((await whole()).packed.values()) + (built ? clientBytes(built) : 0);
        return page.replace('<html ', `<html data-load="${all}" `);
      },
    },
    generateBundle: {
      order: 'post',
      async handler(_, built) {
        const { folder, files, packed } = await whole();
        for (const [name, source] of packed) this.emitFile({ type: 'asset', fileName: `${folder}/${name}.gz`, source });
        const ours = [...packed.keys()].map((name) => `${folder}/${name}`);
        const names = Object.keys(built).filter((name) => name.startsWith('assets/'));
        const others = new Map<string, string | Uint8Array>(publicFiles());
        for (const item of Object.values(built))
          if (item.type === 'asset' && item.fileName.endsWith('.webmanifest')) others.set(item.fileName, item.source);
        const source = serviceWorkerSource([...new Set([...names, ...ours])], others);
        this.emitFile({ type: 'asset', fileName: 'offline.js', source });
        const [wire, plain] = [packed, files].map((some) => `${(total(some.values()) / MEGABYTE).toFixed(1)} MB`);
        this.info(`the local backend: ${wire} compressed, ${plain} unpacked, in ${folder}`);
      },
    },
  };
}

function mediaType(name: string): string {
  if (name.endsWith('.mjs')) return 'text/javascript';
  if (name.endsWith('.wasm')) return 'application/wasm';
  return name.endsWith('.json') ? 'application/json' : 'application/octet-stream';
}
