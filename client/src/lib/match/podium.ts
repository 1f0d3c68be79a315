import type { Line } from '../../wire/server';

export interface PodiumPlace {
  readonly seat: number;
  readonly rank: number;
  readonly score: number;
}

/** The seats by rank; those who share one stay in the order of their seats. */
export function podiumPlaces(scores: readonly number[], ranks: readonly number[]): PodiumPlace[] {
  return scores
    .map((score, seat) => ({ seat, rank: ranks[seat] ?? scores.length, score }))
    .sort((a, b) => a.rank - b.rank || a.seat - b.seat);
}

export interface SheetRow {
  readonly line: string;
  /** One per seat; null where a sheet does not have the line. */
  readonly cells: readonly (Line | null)[];
}

/** Score sheets side by side: every line that one of them has, in an order that fits them all. */
export function alignedRows(sheets: readonly (readonly Line[])[]): SheetRow[] {
  return linesOf(sheets).map((line) => ({
    line,
    cells: sheets.map((sheet) => sheet.find((row) => row.line === line) ?? null),
  }));
}

/** The lines of the first sheet, and those of the others before the next one that they share. */
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
