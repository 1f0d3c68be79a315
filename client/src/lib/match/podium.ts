import type { Line } from '../../wire/server';

export interface PodiumPlace {
  readonly seat: number;
  readonly rank: number;
  readonly score: number;
}

/** Returns the seats sorted by rank, then by seat. */
export function podiumPlaces(scores: readonly number[], ranks: readonly number[]): PodiumPlace[] {
  return scores
    .map((score, seat) => ({ seat, rank: ranks[seat] ?? scores.length, score }))
    .sort((a, b) => a.rank - b.rank || a.seat - b.seat);
}

export interface SheetRow {
  readonly line: string;
  /** One per seat; null if a sheet does not have the line. */
  readonly cells: readonly (Line | null)[];
}

/** Merges score sheets into rows: every line that a sheet has, in an order that fits all of them. */
export function alignedRows(sheets: readonly (readonly Line[])[]): SheetRow[] {
  return linesOf(sheets).map((line) => ({
    line,
    cells: sheets.map((sheet) => sheet.find((row) => row.line === line) ?? null),
  }));
}

/** The lines of the first sheet, with those of the others before the next line that they share. */
function linesOf(sheets: readonly (readonly Line[])[]): string[] {
  const lines: string[] = [];
  for (const sheet of sheets)
    sheet.forEach(({ line }, at) => {
      if (lines.includes(line)) return;
      const next = sheet.slice(at).find((later) => lines.includes(later.line));
      lines.splice(next ? lines.indexOf(next.line) : lines.length, 0, line);
    });
  return lines;
}
