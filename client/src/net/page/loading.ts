/** How much of what a house is made of has arrived. */
export type Progress = (share: number) => void;

/**
 * `fetch`, but what arrives from the folder is counted, as it is unpacked. WebAssembly is read once to be counted and then
 * given as the browser has kept it: of such an answer, and no other, browsers keep the machine code, too.
 */
export function countedFetch(
  folder: string,
  bytes: Readonly<Record<string, number>>,
  progress: Progress,
  plain: typeof fetch = fetch,
): typeof fetch {
  const total = Object.values(bytes).reduce((sum, length) => sum + length, 0);
  let arrived = 0;
  const counting = (): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform(piece, onwards) {
        arrived += piece.byteLength;
        progress(Math.min(1, arrived / total));
        onwards.enqueue(piece);
      },
    });
  return async (asked, options) => {
    const address = typeof asked === 'string' ? asked : asked instanceof URL ? asked.href : asked.url;
    const answer = await plain(asked, options);
    if (!answer.ok || !answer.body || !address.startsWith(folder)) return answer;
    const counted = answer.body.pipeThrough(counting());
    if (!address.endsWith('.wasm')) return new Response(counted, { status: answer.status, headers: answer.headers });
    await counted.pipeTo(new WritableStream());
    return plain(asked, options);
  };
}
