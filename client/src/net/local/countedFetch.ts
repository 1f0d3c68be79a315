import type { BundleSource } from './workerMessages';

/** Receives the share of the bundle that has arrived, from 0 to 1. */
export type ReportProgress = (share: number) => void;

/** Suffix of files that a static host stores compressed. */
const PACKED_SUFFIX = '.bin';

/**
 * A `fetch` that counts the bytes which arrive from the bundle's folder, and unpacks them if the host only stores
 * files. WebAssembly is counted on a clone of the response: browsers cache machine code only for a response that
 * comes unchanged from the network or from a service worker.
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
