import { signed } from '../../../i18n/index.svelte';
import {
  pointsChip,
  fly,
  lineGains,
  screenBoxOf,
  type LinePoints,
  type ScreenBox,
} from '../../../lib/page/flyAnimation';

/** Largest number of gains that fly at the same time. */
const MOST = 3;
const [WIDE, HIGH] = [38, 24];

/** Follows the player's score sheet and animates the gains of its lines. */
export class ScoreGains {
  #before: readonly LinePoints[] = [];

  /** Updates the sheet; `seen` if a move caused the change while the player was watching. */
  follow(screen: HTMLElement, sheet: readonly LinePoints[], seen: boolean): void {
    const gained = this.#before.length && seen ? lineGains(this.#before, sheet) : [];
    this.#before = sheet;
    if (gained.length) void showGains(screen, gained);
  }
}

/** Flies points from the building that was just placed to their lines, or to the score if the lines are hidden. */
async function showGains(screen: HTMLElement, gained: readonly LinePoints[]): Promise<void> {
  const from =
    screenBoxOf(screen.querySelector('.middle :is(.settling, .drawing)')) ?? screenBoxOf(screen.querySelector('.hand'));
  if (!from) return;
  const start: ScreenBox = {
    left: from.left + (from.width - WIDE) / 2,
    top: from.top + (from.height - HIGH) / 2,
    width: WIDE,
    height: HIGH,
  };
  await Promise.all(
    gained.slice(0, MOST).map(async ({ line, points }, order) => {
      const to =
        screenBoxOf(screen.querySelector(`[data-thing="line:${CSS.escape(line)}"] .points`)) ??
        screenBoxOf(screen.querySelector('.score'));
      if (to) await fly(screen, pointsChip(signed(points), points < 0), start, to, order);
    }),
  );
}
