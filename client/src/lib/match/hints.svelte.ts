import type { ShownHint } from '../../games/types';
import { openBook } from '../../i18n/books.svelte';
import { listed } from '../../i18n/index.svelte';
import type { Advice } from '../../net/table/liveTable.svelte';
import type { Explanation, ConsideredAction, Reason } from '../../wire/server';

const MAX_OPTIONS = 3;

/** The hint of a bot for the current decision, and the option that is shown. */
export class Hints {
  explanation = $state.raw<Explanation | null>(null);
  /** Why there is no hint. */
  reason = $state.raw<Reason | null>(null);
  chosen = $state(0);
  thinking = $state(false);
  /** Whether the figures behind the hint are shown. */
  figures = $state(false);
  #asked = 0;

  constructor(
    private readonly ask: () => Promise<Advice>,
    /** Loads the texts of hints. Without them the figures are still readable. */
    private readonly words: () => Promise<void> = () => openBook('hints').catch(() => undefined),
  ) {}

  get options(): readonly ConsideredAction[] {
    return this.explanation?.options.slice(0, MAX_OPTIONS) ?? [];
  }

  get option(): ConsideredAction | undefined {
    return this.options[this.chosen];
  }

  /** The hint for the screen of the game. */
  get shown(): ShownHint | null {
    return this.options.length ? { actions: this.options.map(({ action }) => action), chosen: this.chosen } : null;
  }

  /** Requests a hint. Returns whether one arrived; an answer to a cleared request does not count. */
  async request(): Promise<boolean> {
    const asked = ++this.#asked;
    this.thinking = true;
    const [advice] = await Promise.all([this.ask(), this.words()]);
    if (asked !== this.#asked) return false;
    this.thinking = false;
    this.chosen = 0;
    this.explanation = advice.explanation;
    this.reason = advice.reason;
    return this.options.length > 0;
  }

  /** Drops the hint, because another decision is due. */
  clear(): void {
    this.#asked++;
    this.thinking = false;
    this.explanation = null;
    this.reason = null;
  }
}

/** Joins reasons into one sentence: "covers rocks and makes a group larger."; empty if there are none. */
export function joinReasons(sayings: readonly string[], most: number): string {
  const said = listed([...new Set(sayings.filter((words) => words))].slice(0, most));
  return said && `${said}.`;
}

export interface FeatureWeight {
  readonly feature: string;
  readonly points: number;
}

/** Returns the features with the largest weight for and against an option, sorted by weight. */
export function weightiestFeatures(
  { features }: ConsideredAction,
  most = 3,
): { readonly pro: readonly FeatureWeight[]; readonly con: readonly FeatureWeight[] } {
  const all = Object.entries(features)
    .map(([feature, points]) => ({ feature, points }))
    .filter(({ points }) => Math.abs(points) >= 0.05)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points));
  return {
    pro: all.filter(({ points }) => points > 0).slice(0, most),
    con: all.filter(({ points }) => points < 0).slice(0, most - 1),
  };
}
