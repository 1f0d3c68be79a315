/** How much of what a house is made of has arrived. */
export type Progress = (share: number) => void;

/**
 * `fetch`, but what arrives from the folder is counted. What is unpacked counts, because that is what a browser shows a
 * page; the part that is left when all is there is for Python to begin.
 */
export function countedFetch(
  folder: string,
  bytes: Readonly<Record<string, number>>,
  progress: Progress,
  plain: typeof fetch = fetch,
): typeof fetch {
  const total = Object.values(bytes).reduce((sum, length) => sum + length, 0);
  let arrived = 0;
  return async (asked, options) => {
    const answer = await plain(asked, options);
    const address = typeof asked === 'string' ? asked : asked instanceof URL ? asked.href : asked.url;
    if (!answer.ok || !answer.body || !address.includes(folder)) return answer;
    const counting = new TransformStream<Uint8Array, Uint8Array>({
      transform(piece, onwards) {
        arrived += piece.byteLength;
        progress(Math.min(1, arrived / total));
        onwards.enqueue(piece);
      },
    });
    return new Response(answer.body.pipeThrough(counting), { status: answer.status, headers: answer.headers });
  };
}
