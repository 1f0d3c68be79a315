import { BEGINNING, type Progress } from './progress';

const KEY = 'polyopolis.guides';
/** So many tables are remembered. */
const TABLES = 20;

/** A guide at a table. */
export interface Kept {
  /** `<game>/<name>` */
  readonly guide: string;
  /** The number of the match that it is for. */
  readonly match: number;
  readonly open: boolean;
  readonly progress: Progress;
}

interface Memory {
  readonly tables: Readonly<Record<string, Kept>>;
  /** The guides that somebody here has seen to the end. */
  readonly finished: readonly string[];
}

let memory = $state.raw<Memory>(read());

function read(): Memory {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Memory>;
    return { tables: kept.tables ?? {}, finished: kept.finished ?? [] };
  } catch {
    return { tables: {}, finished: [] };
  }
}

function write(to: Memory): void {
  memory = { ...to, tables: Object.fromEntries(Object.entries(to.tables).slice(-TABLES)) };
  try {
    localStorage.setItem(KEY, JSON.stringify(memory));
  } catch {
    // It holds for this visit.
  }
}

/** The guide to a match at a table, open or left; undefined if there was never one. */
export function guideAt(table: string, match: number): Kept | undefined {
  const kept = memory.tables[table];
  return kept?.match === match ? kept : undefined;
}

/** A guide comes to a table, or comes back to it. */
export function bring(table: string, guide: string, match = 0): void {
  keep(table, { guide, match, progress: guideAt(table, match)?.progress ?? BEGINNING, open: true });
}

export function leave(table: string): void {
  const kept = memory.tables[table];
  if (kept) keep(table, { ...kept, open: false });
}

export function keepProgress(table: string, progress: Progress): void {
  const kept = memory.tables[table];
  if (kept) keep(table, { ...kept, progress });
}

export function finish(guide: string): void {
  if (!hasFinished(guide)) write({ ...memory, finished: [...memory.finished, guide] });
}

export function hasFinished(guide: string): boolean {
  return memory.finished.includes(guide);
}

function keep(table: string, kept: Kept): void {
  const { [table]: _, ...others } = memory.tables;
  write({ ...memory, tables: { ...others, [table]: kept } });
}
