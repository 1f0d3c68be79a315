import { openBook } from '../../../i18n/books.svelte';
import { isMotionReduced } from '../../../lib/site/settings.svelte';
import type { CountingUp } from '../../../shell/end/counting.svelte';
import type { Result } from '../../../wire/server';

/** Counts a result line by line; null with reduced motion. */
export type Count = (result: Result, done: () => void) => Promise<CountingUp | null>;

/** Loads the module and the texts of the count on demand. */
export const countUp: Count = async (result, done) => {
  void import('../../../shell/end/Result.svelte').catch(() => undefined); // preloads the next view
  const [{ CountingUp }] = await Promise.all([import('../../../shell/end/counting.svelte'), openBook('ends')]);
  return isMotionReduced() ? null : new CountingUp(result, done);
};

/** The end of a match: the last position stays on the screen while its points are counted. */
export class MatchEnd {
  #showing = $state(false);
  #counting = $state.raw<CountingUp | null>(null);
  #settled = false;

  constructor(private readonly count: Count) {}

  get showing(): boolean {
    return this.#showing;
  }

  /** The state of the count; null before it begins. */
  get counting(): CountingUp | null {
    return this.#counting;
  }

  /** Starts the count if the viewer sees the match end; later visits and takebacks show no count. */
  follow(settled: boolean, seen: boolean, result: Result | undefined): void {
    const before = this.#settled;
    this.#settled = settled;
    if (!settled) this.stop();
    else if (seen && !before && result) void this.begin(result);
  }

  async begin(result: Result): Promise<void> {
    if (this.#showing) return;
    this.#showing = true;
    const counting = await this.count(result, () => this.stop()).catch(() => null);
    if (!this.showing) counting?.stop();
    else if (counting) this.#counting = counting;
    else this.stop();
  }

  stop(): void {
    this.#counting?.stop();
    this.#counting = null;
    this.#showing = false;
  }
}
