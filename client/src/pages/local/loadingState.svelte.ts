/** How far a page has come with the house that it opens for itself. */
export interface Arrival {
  readonly state: 'asking' | 'opening' | 'open' | 'failed' | 'elsewhere';
  /** From 0 to 1. */
  readonly share: number;
  /** Whether this page opens without a network, too. */
  readonly kept: boolean;
  /** Whether a newer version is kept, and waits. */
  readonly newer: boolean;
}

let come = $state.raw<Arrival>({ state: 'asking', share: 0, kept: false, newer: false });

export function arrival(): Arrival {
  return come;
}

export function say(news: Partial<Arrival>): void {
  come = { ...come, ...news };
}
