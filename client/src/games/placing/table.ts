import type { Cell } from '../../board/geometry/cells';
import type { Covering } from '../../board/interaction/placements';
import type { Result } from '../../wire/server';

/** The common part of the tables of all placing games. */
export interface PlacingTable {
  readonly rows: readonly string[];
  /** Whether buildings may be mirrored. */
  readonly mirrors: boolean;
  readonly over: boolean;
  readonly result: Result;
  /** Lines of the score sheet that count open ground. */
  readonly open_lines: readonly string[];
  /** The score of a good player. */
  readonly par: number | null;
  readonly cities: readonly {
    readonly stopped: boolean;
    /** Points lost so far by open ground. */
    readonly open: number;
    /** The cells that each line of the score sheet counts. */
    readonly counted: Readonly<Record<string, readonly Cell[]>>;
  }[];
}

/** Returns the lines of a score sheet that count cells. */
export function linesWithCells(view: unknown, seat: number): readonly string[] {
  const { cities } = (view as { readonly table: PlacingTable }).table;
  return Object.entries(cities[seat]?.counted ?? {}).flatMap(([line, cells]) => (cells.length ? [line] : []));
}

/** Returns the cells of a line; empty without a line. */
export function litCells({ cities }: PlacingTable, seat: number, lit: string | null): readonly Cell[] {
  return lit === null ? [] : (cities[seat]?.counted[lit] ?? []);
}

/** An action of a seat. An action on the board has cells, or one cell. */
export interface Action {
  readonly type: string;
  readonly cells?: readonly Cell[];
  readonly cell?: Cell;
}

/** An action that covers cells. */
export interface CellChoice extends Covering {
  readonly action: Action;
}

export function cellsOf({ cells, cell }: Action): readonly Cell[] {
  return cells ?? (cell === undefined ? [] : [cell]);
}

/** The thing that all players place in this round: a building, or another one of the game. */
export interface Task {
  /** The key of the round. */
  readonly round: string;
  /** The name of the thing. */
  readonly name: string;
  readonly thing?: TaskItem | undefined;
}

/** A thing for one cell that is not the building of the round. */
export interface TaskItem {
  /** The texts before and after it lies on a cell. */
  readonly hint: string;
  readonly ready: string;
  readonly confirm: string;
  /** The rewards after it, as text. */
  readonly more?: string | undefined;
  /** Returns the action that places it on this cell. */
  at(cell: Cell): Action;
  /** The action that places nothing, where that is legal. */
  readonly decline?: { readonly words: string; readonly action: Action };
}
