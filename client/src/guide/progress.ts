/** How far somebody has come in a guide. */
export interface Progress {
  /** The parts that are behind them, by their ids. */
  readonly done: readonly string[];
  /** The part they are in; null between two parts. */
  readonly part: string | null;
  readonly step: number;
}

export const NO_PROGRESS: Progress = { done: [], part: null, step: 0 };
