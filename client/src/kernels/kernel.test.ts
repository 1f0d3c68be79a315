import { describe, expect, test } from 'vitest';
import { openKernel, STACK_BYTES } from './kernel';
import note from './modules.json';

const CODE = import.meta.glob<string>('./*.wasm', { eager: true, import: 'default', query: '?url&inline' });
const codeOf = (kernel: string) => {
  const [, code] = CODE[`./${kernel}.wasm`]!.split('base64,');
  return Uint8Array.from(atob(code!), (byte) => byte.charCodeAt(0));
};
const memory = () => new WebAssembly.Memory({ initial: 4 });

/** The sections of a module by number: 0 is for names and notes, 11 for data. */
function sections(code: Uint8Array): number[] {
  const found: number[] = [];
  let at = 8;
  while (at < code.length) {
    found.push(code[at++]!);
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = code[at++]!;
      size |= (byte & 127) << shift;
      if (byte < 128) break;
    }
    at += size;
  }
  return found;
}

describe.each(Object.entries(note.modules))('the module %s', (kernel, { bytes, functions }) => {
  test('imports only a memory', () => {
    const module = new WebAssembly.Module(codeOf(kernel));
    expect(WebAssembly.Module.imports(module)).toEqual([{ module: 'env', name: 'memory', kind: 'memory' }]);
    expect(WebAssembly.Module.exports(module).map(({ name }) => name)).toEqual(['__stack_pointer', ...functions]);
  });

  test('contains no data, names or paths', () => {
    expect(codeOf(kernel)).toHaveLength(bytes);
    expect(sections(codeOf(kernel)).filter((section) => section === 0 || section === 11)).toEqual([]);
  });

  test('rejects unknown functions', async () => {
    const run = await openKernel(codeOf(kernel), memory(), STACK_BYTES);
    expect(() => run('luck.drawn', STACK_BYTES)).toThrow('luck.drawn');
  });

  test('fails on an access out of bounds, and works afterwards', async () => {
    const run = await openKernel(codeOf(kernel), memory(), STACK_BYTES);
    for (let time = 0; time < 2000; time++)
      expect(() => run(functions[0]!, 4 * 65536 - 8)).toThrow(WebAssembly.RuntimeError);
  });
});
