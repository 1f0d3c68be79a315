/** The progress of a player in a guide. */
export interface Progress {
  /** The ids of the finished parts. */
  readonly done: readonly string[];
  /** The current part; null between two parts. */
  readonly part: string | null;
  readonly step: number;
}

export const NO_PROGRESS: Progress = { done: [], part: null, step: 0 };
