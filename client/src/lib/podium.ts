import type { Line } from '../wire/server';

export interface Place {
  readonly seat: number;
  readonly rank: number;
  readonly score: number;
}

/** The seats by rank; those who share one stay in the order of their seats. */
export function podium(scores: readonly number[], ranks: readonly number[]): Place[] {
  return scores
    .map((score, seat) => ({ seat, rank: ranks[seat] ?? scores.length, score }))
    .sort((a, b) => a.rank - b.rank || a.seat - b.seat);
}

export interface SheetRow {
  readonly line: string;
  /** One per seat; null where a sheet does not have the line. */
  readonly cells: readonly (Line | null)[];
}

/** Score sheets side by side: every line that one of them has, in their order. */
export function sideBySide(sheets: readonly (readonly Line[])[]): SheetRow[] {
  const lines = [...new Set(sheets.flatMap((sheet) => sheet.map((line) => line.line)))];
  return lines.map((line) => ({
    line,
    cells: sheets.map((sheet) => sheet.find((row) => row.line === line) ?? null),
  }));
}
