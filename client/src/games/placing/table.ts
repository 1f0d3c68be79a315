import type { Cell } from '../../board/cells';
import type { Covering } from '../../board/placements';
import type { Result } from '../../wire/server';

/** What the tables of all games in which buildings are placed have in common. */
export interface PlacingTable {
  readonly rows: readonly string[];
  /** Buildings may be turned over. */
  readonly mirrors: boolean;
  readonly over: boolean;
  readonly result: Result;
  /** Lines of the score sheet that count what is not built on yet. */
  readonly open_lines: readonly string[];
  /** What a good player comes to here. */
  readonly par: number | null;
  readonly cities: readonly {
    readonly stopped: boolean;
    /** What it loses so far by open ground. */
    readonly open: number;
    /** The cells that each line of the score sheet speaks of. */
    readonly counted: Readonly<Record<string, readonly Cell[]>>;
  }[];
}

/** The lines of a score sheet that speak of cells. */
export function linesWithCells(view: unknown, seat: number): readonly string[] {
  const { cities } = (view as { readonly table: PlacingTable }).table;
  return Object.entries(cities[seat]?.counted ?? {}).flatMap(([line, cells]) => (cells.length ? [line] : []));
}

/** The cells that a line speaks of; none where none is lit. */
export function litCells({ cities }: PlacingTable, seat: number, lit: string | null): readonly Cell[] {
  return lit === null ? [] : (cities[seat]?.counted[lit] ?? []);
}

/** What a seat may do. What is laid on the board names its cells, or its one cell. */
export interface Action {
  readonly type: string;
  readonly cells?: readonly Cell[];
  readonly cell?: Cell;
}

/** An action that lays something on cells. */
export interface CellChoice extends Covering {
  readonly action: Action;
}

export function cellsOf({ cells, cell }: Action): readonly Cell[] {
  return cells ?? (cell === undefined ? [] : [cell]);
}

/** What all lay in this round: a building, or a thing that a game knows besides. */
export interface Task {
  /** Other rounds have other keys. */
  readonly round: string;
  /** How it is called. */
  readonly name: string;
  readonly thing?: TaskItem | undefined;
}

/** Something for one cell that is no building of the round. */
export interface TaskItem {
  /** What is said before it lies on a cell, and when it does. */
  readonly hint: string;
  readonly ready: string;
  readonly confirm: string;
  /** What comes after it. */
  readonly more?: string | undefined;
  /** Laid on this cell. */
  at(cell: Cell): Action;
  /** Not to lay it, where one may do so. */
  readonly decline?: { readonly words: string; readonly action: Action };
}
