import { looking } from '../../../lib/match/readOnlyScreen';
import { remember, seen, type Seen } from '../../../lib/site/lastSeen';
import { still } from '../../../lib/site/settings.svelte';
import type { Scene } from '../../../wire/server';

/** Whoever looks again after so long has been away, in milliseconds. */
const AWAY = 60_000;

/** What happened at a table while somebody was away: it is shown as motion before they go on. */
export class Missed {
  /** How far they had seen the match that is played; null if there is nothing to show. */
  film = $state.raw<Seen | null>(null);
  #looked: number | null = null;

  constructor(private readonly id: string) {}

  /** The page opens, or its line is there again. */
  arrived(scene: Scene | null): void {
    const before = seen(this.id);
    const back = this.#looked !== null && Date.now() - this.#looked < AWAY;
    if (scene && before && !back && !still() && before.match === scene.match.number && before.moves < scene.moves)
      this.film = before;
    this.saw(scene);
  }

  /** So it stands now, if somebody looks. */
  saw(scene: Scene | null): void {
    if (!scene || !looking()) return;
    this.#looked = Date.now();
    remember(this.id, { match: scene.match.number, moves: scene.moves });
  }

  /** It was seen, or nobody wants to. */
  done = (): void => {
    this.film = null;
  };
}
