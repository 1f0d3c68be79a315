import { isPageVisible } from '../../../lib/match/readOnlyScreen';
import { rememberSeen, lastSeen, type LastSeen } from '../../../lib/site/lastSeen';
import { isMotionReduced } from '../../../lib/site/settings.svelte';
import type { Scene } from '../../../wire/server';

/** Whoever looks again after so long has been away, in milliseconds. */
const AWAY = 60_000;

/** What happened at a table while somebody was away: it is shown as motion before they go on. */
export class MissedEvents {
  /** How far they had seen the match that is played; null if there is nothing to show. */
  film = $state.raw<LastSeen | null>(null);
  #looked: number | null = null;

  constructor(private readonly id: string) {}

  /** The page opens, or its line is there again. */
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

  /** So it stands now, if somebody looks. */
  saw(scene: Scene | null): void {
    if (!scene || !isPageVisible()) return;
    this.#looked = Date.now();
    rememberSeen(this.id, { match: scene.match.number, moves: scene.moves });
  }

  /** It was seen, or nobody wants to. */
  done = (): void => {
    this.film = null;
  };
}
