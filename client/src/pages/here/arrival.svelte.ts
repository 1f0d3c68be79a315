/** How far a page has come with the house that it opens for itself. */
export interface Arrival {
  readonly state: 'opening' | 'open' | 'failed' | 'elsewhere';
  /** From 0 to 1. */
  readonly share: number;
  /** Bytes to be loaded. */
  readonly size: number;
  /** Whether this page opens without a network, too. */
  readonly kept: boolean;
}

let come = $state.raw<Arrival>({ state: 'opening', share: 0, size: 0, kept: false });

export function arrival(): Arrival {
  return come;
}

export function say(news: Partial<Arrival>): void {
  come = { ...come, ...news };
}
