/** A kernel: runs a function of its module, given the address of a row of slots. */
export type Kernel = (name: string, slots: number) => void;

/** Bytes for the stack of a kernel, which ends where it is said to begin. No function calls itself, so it is enough. */
export const STACK_BYTES = 65536;

/**
 * Opens a module that `make wasm` has written. It works on a memory that somebody else owns; what stands in the slots,
 * and that all addresses are those of arrays, is the business of whoever calls (`kernels/runtime/wasm_calls.py`).
 */
export async function openKernel(code: BufferSource, memory: WebAssembly.Memory, stack: number): Promise<Kernel> {
  const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(code), { env: { memory } });
  const top = exports['__stack_pointer'] as WebAssembly.Global<'i32'>;
  return (name, slots) => {
    const called = exports[name];
    if (typeof called !== 'function') throw new Error(`no function of a kernel is called ${name}`);
    // Each time: a call that was broken off has left it where it was.
    top.value = stack;
    (called as (slots: number) => void)(slots);
  };
}
