import type { FeedbackKind, GameModule } from '../../../games/types';
import { t } from '../../../i18n/index.svelte';
import type { ActivityFeed } from '../../../lib/match/activityFeed.svelte';

/** The moves of so many others can be read while one plays. */
const FEW = 3;
/** Who has waited for so long is called, in milliseconds. */
const WAITED = 4_000;

/** What of a move is heard, felt and told in a line. */
export class MoveFeedback {
  /** When somebody here was to decide last, and whether that is so now. */
  #dueLast = 0;
  #due = false;

  constructor(
    private readonly play: (...what: readonly FeedbackKind[]) => void,
    private readonly activity: ActivityFeed,
  ) {}

  /** What happened is heard; what others did is told. */
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

  /** Whoever has waited for a while hears that it is their turn. */
  follow(due: boolean): void {
    const now = Date.now();
    if (due && !this.#due && this.#dueLast && now - this.#dueLast > WAITED) this.play('yours');
    this.#due = due;
    if (due) this.#dueLast = now;
  }
}
