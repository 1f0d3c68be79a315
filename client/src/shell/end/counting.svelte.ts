import { alignedRows } from '../../lib/match/podium';
import type { Result } from '../../wire/server';

/** A line of the score sheets, counted for all seats at once. */
export interface Step {
  readonly line: string;
  /** One per seat; null if its sheet does not have the line. */
  readonly points: readonly (number | null)[];
  /** The sums of the lines so far. */
  readonly totals: readonly number[];
}

/** Milliseconds before the first line, for a line, for a line without points, and after the last one. */
export const PACE = { before: 700, line: 1250, nothing: 450, after: 1600 } as const;

/** Returns the steps for the lines of the score sheets, in their order. */
export function stepsOf({ sheets }: Pick<Result, 'sheets'>): readonly Step[] {
  let totals: readonly number[] = sheets.map(() => 0);
  return alignedRows(sheets).map(({ line, cells }) => {
    const points = cells.map((cell) => cell?.points ?? null);
    totals = totals.map((total, seat) => total + (points[seat] ?? 0));
    return { line, points, totals };
  });
}

/** The score animation at the end of a match. It can be skipped. */
export class CountingUp {
  readonly steps: readonly Step[];
  /** The number of counted lines. */
  #count = $state(0);
  /** Whether the totals are shown, after the last line. */
  #summed = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    result: Pick<Result, 'sheets'>,
    private readonly done: () => void,
  ) {
    this.steps = stepsOf(result);
    this.#wait(PACE.before);
  }

  /** The current line. */
  get step(): Step | null {
    return this.#summed ? null : (this.steps[this.#count - 1] ?? null);
  }

  get line(): string | null {
    return this.step?.line ?? null;
  }

  get lines(): ReadonlySet<string> {
    return new Set(this.steps.slice(0, this.#count).map(({ line }) => line));
  }

  get totals(): readonly number[] {
    return this.steps[this.#count - 1]?.totals ?? this.steps[0]?.totals.map(() => 0) ?? [];
  }

  get summed(): boolean {
    return this.#summed;
  }

  /** Skips to the result. */
  skip(): void {
    this.stop();
    this.done();
  }

  /** Stops without a result. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(time: number): void {
    this.#timer = setTimeout(() => this.#next(), time);
  }

  #next(): void {
    if (this.#summed) this.skip();
    else if (this.#count === this.steps.length) {
      this.#summed = true;
      this.#wait(PACE.after);
    } else {
      this.#count += 1;
      this.#wait(this.step?.points.some(Boolean) ? PACE.line : PACE.nothing);
    }
  }
}
