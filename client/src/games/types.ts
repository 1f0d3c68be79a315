import type { Component } from 'svelte';
import type { Translate } from '../i18n/index.svelte';
import type { Change, Reason } from '../wire/server';

export type SeatStatus = 'thinking' | 'ready' | 'away' | 'stopped' | 'done';

/** What the middle of the table page gets. The shell owns the connection; a game draws and asks. */
export interface GameScreenProps {
  /** The view on the wire: for My City `mycity.View`. */
  view: unknown;
  names: readonly string[];
  /** One per seat. */
  status: readonly SeatStatus[];
  /** The seat that this screen plays now; null for spectators, results and replays. */
  seat: number | null;
  choices: readonly unknown[];
  /** What this seat has decided while others are due. */
  staged: unknown;
  /** What just happened, for motion; empty after a jump. */
  events: readonly unknown[];
  act(action: unknown): void;
  retract(): void;
  /** Why an action is not possible; null if it is. */
  why(action: unknown): Promise<Reason | null>;
  /** The lines of the score sheet that an action would change. */
  preview(action: unknown): Promise<readonly Change[]>;
  /** Whose board is large when nobody plays here: in a replay, and when the match is over. */
  focusSeat?: number;
}

/** What is asked of a game when a table is made, without the seats. */
export type GameMode = Readonly<Record<string, unknown>>;

/** What `games/<game>/index.ts` exports. */
export interface GameModule {
  readonly screen: Component<GameScreenProps>;
  /** One event as a sentence for the log and the live region; empty if there is nothing to say. */
  describe(event: unknown, names: readonly string[], t: Translate): string;
  /** Offered on the set-up page, the sensible default first. */
  readonly modes: readonly GameMode[];
  modeName(mode: GameMode, t: Translate): string;
  /** A line of the score sheet. */
  lineName(line: string, t: Translate): string;
  /** A reason for a refusal in a few words; undefined if it is none of this game's. */
  reason(reason: Reason, t: Translate): string | undefined;
}
