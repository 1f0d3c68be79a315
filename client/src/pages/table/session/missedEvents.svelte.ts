import { isPageVisible } from '../../../lib/match/readOnlyScreen';
import { rememberSeen, lastSeen, type LastSeen } from '../../../lib/site/lastSeen';
import { isMotionReduced } from '../../../lib/site/settings.svelte';
import type { Scene } from '../../../wire/server';

/** Time without a look at the page, in milliseconds, that counts as absence. */
const AWAY = 60_000;

/** The events at a table during an absence, which are replayed first. */
export class MissedEvents {
  /** The last seen position of the current match; null without missed events. */
  film = $state.raw<LastSeen | null>(null);
  #looked: number | null = null;

  constructor(private readonly id: string) {}

  /** Called when the page opens or the connection is back. */
  arrived(scene: Scene | null): void {
    const before = lastSeen(this.id);
    const back = this.#looked !== null && Date.now() - this.#looked < AWAY;
    if (
      scene &&
      before &&
      !back &&
      !isMotionReduced() &&
      before.match === scene.match.number &&
      before.moves < scene.moves
    )
      this.film = before;
    this.saw(scene);
  }

  /** Stores the current position as seen if the page is visible. */
  saw(scene: Scene | null): void {
    if (!scene || !isPageVisible()) return;
    this.#looked = Date.now();
    rememberSeen(this.id, { match: scene.match.number, moves: scene.moves });
  }

  /** Ends or skips the replay. */
  done = (): void => {
    this.film = null;
  };
}
