/** Runs kernels for another process: see `polyopolis_wasm.py`. The runner is the client's, its types taken off. */
import { readFileSync, readSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';

const client = new URL('../../../client/', import.meta.url);
const ts = createRequire(client)('typescript');
const source = readFileSync(new URL('src/kernels/kernel.ts', client), 'utf8');
const options = { compilerOptions: { target: 'ES2022', module: 'ESNext' } };
const { outputText } = ts.transpileModule(source, options);
const { openKernel, STACK_BYTES } = await import(`data:text/javascript,${encodeURIComponent(outputText)}`);

const memory = new WebAssembly.Memory({ initial: 2 });
const kernels = {};

function read(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const got = readSync(0, bytes, at, bytes.length - at);
    if (!got) process.exit(0);
    at += got;
  }
  return bytes;
}

function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at, bytes.length - at);
}

for (;;) {
  const length = read(new Uint8Array(4));
  const asked = read(new Uint8Array(new DataView(length.buffer).getUint32(0, true)));
  const [kernel, name, slots, size] = JSON.parse(Buffer.from(asked).toString());
  const missing = STACK_BYTES + size - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / 65536));
  const arrays = read(new Uint8Array(memory.buffer, STACK_BYTES, size));
  kernels[kernel] ??= await openKernel(readFileSync(new URL(`src/kernels/${kernel}.wasm`, client)), memory, STACK_BYTES);
  const start = performance.now();
  kernels[kernel](name, slots);
  if (new BigUint64Array(memory.buffer, 0, STACK_BYTES / 16).some(Boolean)) throw new Error('half of the stack is in use');
  const took = new Float64Array([performance.now() - start]);
  write(new Uint8Array(took.buffer));
  write(arrays);
}
