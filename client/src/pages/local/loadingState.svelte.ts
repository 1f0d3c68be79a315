/** How far a page has come with the house that it opens for itself. */
export interface LoadingState {
  readonly state: 'asking' | 'opening' | 'open' | 'failed' | 'elsewhere';
  /** From 0 to 1. */
  readonly share: number;
  /** Whether this page opens without a network, too. */
  readonly kept: boolean;
  /** Whether a newer version is kept, and waits. */
  readonly newer: boolean;
}

let current = $state.raw<LoadingState>({ state: 'asking', share: 0, kept: false, newer: false });

export function loadingState(): LoadingState {
  return current;
}

export function updateLoadingState(news: Partial<LoadingState>): void {
  current = { ...current, ...news };
}
