import type { Cell } from '../../board/cells';
import type { Result } from '../../wire/server';

/** What the tables of all games in which buildings are placed have in common. */
export interface BuildingTable {
  readonly rows: readonly string[];
  readonly over: boolean;
  readonly result: Result;
  readonly cities: readonly {
    readonly stopped: boolean;
    /** The cells that each line of the score sheet speaks of. */
    readonly counted: Readonly<Record<string, readonly Cell[]>>;
  }[];
}

export type Action =
  | { readonly type: 'place'; readonly cells: readonly Cell[] }
  | { readonly type: 'pass' }
  | { readonly type: 'stop' };

export type Place = Extract<Action, { type: 'place' }>;

/** The building that all place in this round. */
export interface Task {
  /** Other rounds have other keys. */
  readonly round: string;
  /** How it is called. */
  readonly name: string;
}
