/**
 * Whether a seed matches the commitment that was published before the first draw; null if the browser has no
 * SHA-256.
 */
export async function matchesCommitment(seed: string, commitment: string): Promise<boolean | null> {
  const { subtle } = globalThis.crypto as Partial<Crypto>;
  if (!subtle) return null;
  const bytes = Uint8Array.from(seed.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
  const digest = new Uint8Array(await subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('') === commitment;
}
