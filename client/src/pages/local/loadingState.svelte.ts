/** The state of the local backend of this page. */
export interface LoadingState {
  readonly state: 'asking' | 'opening' | 'open' | 'failed' | 'elsewhere';
  /** From 0 to 1. */
  readonly share: number;
  /** Whether the page also works offline. */
  readonly kept: boolean;
  /** Whether a newer version is cached and waits for activation. */
  readonly newer: boolean;
}

let current = $state.raw<LoadingState>({ state: 'asking', share: 0, kept: false, newer: false });

export function loadingState(): LoadingState {
  return current;
}

export function updateLoadingState(news: Partial<LoadingState>): void {
  current = { ...current, ...news };
}
