import { openBook } from '../../../i18n/books.svelte';
import { isMotionReduced } from '../../../lib/site/settings.svelte';
import type { CountingUp } from '../../../shell/end/counting.svelte';
import type { Result } from '../../../wire/server';

/** Counts a result up, line by line; null where nothing is to move. */
export type Count = (result: Result, done: () => void) => Promise<CountingUp | null>;

/** How it ends arrives when it does. */
export const countUp: Count = async (result, done) => {
  void import('../../../shell/end/Result.svelte').catch(() => undefined); // what comes next is there by then
  const [{ CountingUp }] = await Promise.all([import('../../../shell/end/counting.svelte'), openBook('ends')]);
  return isMotionReduced() ? null : new CountingUp(result, done);
};

/** The end of a match: the last position stays on the screen while what it is worth is counted up. */
export class MatchEnd {
  #showing = $state(false);
  #counting = $state.raw<CountingUp | null>(null);
  #settled = false;

  constructor(private readonly count: Count) {}

  get showing(): boolean {
    return this.#showing;
  }

  /** How far that is; null before it begins. */
  get counting(): CountingUp | null {
    return this.#counting;
  }

  /** Whoever sees a match end sees it counted up, once; whoever comes later, or goes back, sees what there is. */
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
