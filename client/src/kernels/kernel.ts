/** Runs a function of a kernel, given its name and the address of its slots. */
export type Kernel = (name: string, slots: number) => void;

/** Size of a kernel's stack. It is enough because no function is recursive. */
export const STACK_BYTES = 65536;

/**
 * Opens a module that `make wasm` has written, with a memory and the end of its stack. The caller owns the memory,
 * and must pass slots with valid addresses of arrays (`kernels/runtime/wasm_calls.py`).
 */
export async function openKernel(code: BufferSource, memory: WebAssembly.Memory, stack: number): Promise<Kernel> {
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(code), { env: { memory } });
  const top = exports['__stack_pointer'] as WebAssembly.Global<'i32'>;
  return (name, slots) => {
    const called = exports[name];
    if (typeof called !== 'function') throw new Error(`no function of a kernel is called ${name}`);
    // before each call: an aborted call does not restore it
    top.value = stack;
    (called as (slots: number) => void)(slots);
  };
}
