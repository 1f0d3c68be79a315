import type { BundleSource } from './workerMessages';

/** How much of what a house is made of has arrived. */
export type ReportProgress = (share: number) => void;

/** What a host of files has packed lies beside its name with this one. */
const PACKED_SUFFIX = '.bin';

/**
 * `fetch`, but what arrives from the folder of the house is counted, and unpacked where the host only has files. WebAssembly is
 * counted beside the answer itself: of an answer from the network or from a service worker, and no other, browsers keep
 * the machine code, too.
 */
export function countedFetch(
  { folder, bytes, packed }: BundleSource,
  progress: ReportProgress,
  plain: typeof fetch = fetch,
): typeof fetch {
  const total = Object.values(bytes).reduce((sum, length) => sum + length, 0);
  let arrived = 0;
  const counted = (body: ReadableStream<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> =>
    body.pipeThrough(
      new TransformStream({
        transform(piece, onwards) {
          arrived += piece.byteLength;
          progress(Math.min(1, arrived / total));
          onwards.enqueue(piece);
        },
      }),
    );
  return async (asked, options) => {
    const address = typeof asked === 'string' ? asked : asked instanceof URL ? asked.href : asked.url;
    if (!address.startsWith(folder)) return plain(asked, options);
    const answer = await plain(packed ? address + PACKED_SUFFIX : asked, options);
    if (!answer.ok || !answer.body) return answer;
    const code = address.endsWith('.wasm');
    if (code && !packed) {
      void counted(answer.clone().body!).pipeTo(new WritableStream());
      return answer;
    }
    const unpacked = packed ? answer.body.pipeThrough(new DecompressionStream('gzip')) : answer.body;
    return new Response(counted(unpacked), { headers: code ? { 'content-type': 'application/wasm' } : {} });
  };
}
