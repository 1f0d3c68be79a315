import type { Moment } from '../games/types';

/** Something that begins a part of a guide or ends a step of it. */
export type Condition =
  /** Somebody has read it. */
  | 'next'
  /** The match is over. */
  | 'over'
  /** One of these things happened; to this seat, unless anybody will do. */
  | { readonly event: string | readonly string[]; readonly by?: 'anyone' }
  /** Such a decision is to be made. */
  | { readonly due: string }
  /** Such a thing was clicked on. */
  | { readonly used: string }
  /** It holds, as the game tells: a name of its `moments.ts`. */
  | { readonly moment: string };

/** Where to go from the last step. */
export interface Offer {
  /** What the button says: `guide.offer.<text>`. */
  readonly text: string;
  /** Another match of the game, with a real seed. */
  readonly play?: { readonly setup?: Readonly<Record<string, unknown>>; readonly bot?: string };
  /** Another guided game. */
  readonly guide?: string;
  /** The next match at this table. */
  readonly next?: true;
  readonly page?: 'rules' | 'new';
  /** Which group of modes the set-up page opens with. */
  readonly mode?: string;
}

export interface Step {
  /** What is said: `guide.<game>.<text>`. */
  readonly text: string;
  /** What is pointed at: the first of these things that is on the screen. */
  readonly thing?: string | readonly string[];
  /** It is left out where this does not hold. */
  readonly if?: Condition;
  /** What ends it; if nothing is named, whoever has read it. */
  readonly until?: Condition;
  /** A good place is shown. */
  readonly advise?: true;
  readonly offers?: readonly Offer[];
}

/** A part of a guide: steps in a row. */
export interface Section {
  /** What it is called: `guide.<game>.part.<id>`. */
  readonly id: string;
  /** When it is time for it; if nothing is named, after the parts before it. */
  readonly from?: Condition;
  /** It does not wait until the part before it is over. */
  readonly urgent?: true;
  readonly steps: readonly Step[];
}

/** What a file in `games/<game>/guides/` says. */
export interface GuideData {
  /** The table that is made for it. */
  readonly table: {
    readonly setup: Readonly<Record<string, unknown>>;
    readonly seats: number;
    readonly bot: string;
    readonly seed: string;
  };
  /** The matches it is good for. */
  readonly fits: { readonly setup: Readonly<Record<string, unknown>>; readonly seats: readonly number[] };
  readonly sections: readonly Section[];
}

/** How it stands in the match, as a guide hears it. */
export interface GuideMoment extends Moment {
  /** Scenes are counted: another number, another scene. */
  readonly number: number;
  readonly score: number;
  readonly over: boolean;
  /** Its luck was chosen beforehand. */
  readonly prepared: boolean;
}
