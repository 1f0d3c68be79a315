import type { Moment } from '../games/types';

/** A condition that starts a part of a guide or ends a step. */
export type Condition =
  /** The player has read it. */
  | 'next'
  /** The match is over. */
  | 'over'
  /** One of these events happened; to this seat unless `by` allows any seat. */
  | { readonly event: string | readonly string[]; readonly by?: 'anyone' }
  /** A decision of this type is due. */
  | { readonly due: string }
  /** A thing of this kind was clicked. */
  | { readonly used: string }
  /** A predicate of the game's `moments.ts` holds. */
  | { readonly moment: string };

/** A way to continue after the last step. */
export interface Offer {
  /** The key of the button's text: `guide.offer.<text>`. */
  readonly text: string;
  /** Another match of the game, with a real seed. */
  readonly play?: { readonly setup?: Readonly<Record<string, unknown>>; readonly bot?: string };
  /** Another guided game. */
  readonly guide?: string;
  /** The next match at this table. */
  readonly next?: true;
  readonly page?: 'rules' | 'new';
  /** The group of modes that the set-up page opens with. */
  readonly mode?: string;
}

export interface Step {
  /** The key of the text: `guide.<game>.<text>`. */
  readonly text: string;
  /** The target: the first of these things that is on the page. */
  readonly thing?: string | readonly string[];
  /** The step is skipped unless this holds. */
  readonly if?: Condition;
  /** Ends the step; by default reading it does. */
  readonly until?: Condition;
  /** Shows a good place. */
  readonly advise?: true;
  readonly offers?: readonly Offer[];
}

/** A part of a guide: a sequence of steps. */
export interface Section {
  /** The key of its name: `guide.<game>.part.<id>`. */
  readonly id: string;
  /** Starts the part; by default it follows the parts before it. */
  readonly from?: Condition;
  /** The part may interrupt the current one. */
  readonly urgent?: true;
  readonly steps: readonly Step[];
}

/** The content of a file in `games/<game>/guides/`. */
export interface GuideData {
  /** The table that is created for it. */
  readonly table: {
    readonly setup: Readonly<Record<string, unknown>>;
    readonly seats: number;
    readonly bot: string;
    readonly seed: string;
  };
  /** The matches that it fits. */
  readonly fits: { readonly setup: Readonly<Record<string, unknown>>; readonly seats: readonly number[] };
  readonly sections: readonly Section[];
}

/** The position of the match, as a guide receives it. */
export interface GuideMoment extends Moment {
  /** The number of the scene; each scene has its own. */
  readonly number: number;
  readonly score: number;
  readonly over: boolean;
  /** The luck was prepared. */
  readonly prepared: boolean;
}
