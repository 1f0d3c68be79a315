import type { FeedbackKind, GameModule } from '../../../games/types';
import { t } from '../../../i18n/index.svelte';
import type { ActivityFeed } from '../../../lib/match/activityFeed.svelte';

/** Largest number of other players whose moves are shown as lines. */
const FEW = 3;
/** Waiting time in milliseconds after which a sound announces the turn. */
const WAITED = 4_000;

/** The sounds, vibrations and lines for moves. */
export class MoveFeedback {
  /** The last time when a decision was due here, and whether one is due now. */
  #dueLast = 0;
  #due = false;

  constructor(
    private readonly play: (...what: readonly FeedbackKind[]) => void,
    private readonly activity: ActivityFeed,
  ) {}

  /** Plays the sounds of the events, and shows the moves of others as lines. */
  show(events: readonly unknown[], game: GameModule, names: readonly string[], own: readonly number[]): void {
    this.play(...events.flatMap((event) => game.feedbackOf(event) ?? []));
    const others = new Map<number, string>();
    for (const event of events) {
      const { seat } = event as { readonly seat?: number };
      if (seat === undefined || own.includes(seat) || !game.isAnnounced(event)) continue;
      others.set(seat, game.describe(event, names, t));
    }
    if (others.size <= FEW) this.activity.add(...[...others].map(([seat, text]) => ({ seat, text })));
  }

  /** Plays a sound when it is the player's turn after a longer wait. */
  follow(due: boolean): void {
    const now = Date.now();
    if (due && !this.#due && this.#dueLast && now - this.#dueLast > WAITED) this.play('yours');
    this.#due = due;
    if (due) this.#dueLast = now;
  }
}
