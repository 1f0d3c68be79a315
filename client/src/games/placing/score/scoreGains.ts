import { signed } from '../../../i18n/index.svelte';
import { chip, fly, gains, spotOf, type Gain, type Spot } from '../../../lib/page/flyAnimation';

/** More than these are not followed by any eye. */
const MOST = 3;
const [WIDE, HIGH] = [38, 24];

/** Follows the sheet of whoever plays here: what its lines gain is shown. */
export class Gains {
  #before: readonly Gain[] = [];

  /** The sheet as it is now; `seen` where that is the work of a move that was just seen. */
  follow(screen: HTMLElement, sheet: readonly Gain[], seen: boolean): void {
    const gained = this.#before.length && seen ? gains(this.#before, sheet) : [];
    this.#before = sheet;
    if (gained.length) void showGains(screen, gained);
  }
}

/** Points fly from what was just built to their lines, or to the score where the lines are not to be seen. */
async function showGains(screen: HTMLElement, gained: readonly Gain[]): Promise<void> {
  const from =
    spotOf(screen.querySelector('.middle :is(.settling, .drawing)')) ?? spotOf(screen.querySelector('.hand'));
  if (!from) return;
  const start: Spot = {
    left: from.left + (from.width - WIDE) / 2,
    top: from.top + (from.height - HIGH) / 2,
    width: WIDE,
    height: HIGH,
  };
  await Promise.all(
    gained.slice(0, MOST).map(async ({ line, points }, order) => {
      const to =
        spotOf(screen.querySelector(`[data-thing="line:${CSS.escape(line)}"] .points`)) ??
        spotOf(screen.querySelector('.score'));
      if (to) await fly(screen, chip(signed(points), points < 0), start, to, order);
    }),
  );
}
