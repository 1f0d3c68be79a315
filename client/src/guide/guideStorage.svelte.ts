import { NO_PROGRESS, type Progress } from './progress';

const KEY = 'polyopolis.guides';
/** Number of tables that are remembered. */
const MAX_TABLES = 20;

/** A guide at a table. */
export interface GuideState {
  /** `<game>/<name>` */
  readonly guide: string;
  /** The number of the match that it belongs to. */
  readonly match: number;
  readonly open: boolean;
  readonly progress: Progress;
}

interface StoredGuides {
  readonly tables: Readonly<Record<string, GuideState>>;
  /** The guides that were finished on this device. */
  readonly finished: readonly string[];
}

let stored = $state.raw<StoredGuides>(read());

function read(): StoredGuides {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<StoredGuides>;
    return { tables: kept.tables ?? {}, finished: kept.finished ?? [] };
  } catch {
    return { tables: {}, finished: [] };
  }
}

function write(to: StoredGuides): void {
  stored = { ...to, tables: Object.fromEntries(Object.entries(to.tables).slice(-MAX_TABLES)) };
  try {
    localStorage.setItem(KEY, JSON.stringify(stored));
  } catch {
    // Without storage the state lasts for this visit.
  }
}

/** Returns the guide for a match at a table, open or left; undefined if it never had one. */
export function guideAt(table: string, match: number): GuideState | undefined {
  const kept = stored.tables[table];
  return kept?.match === match ? kept : undefined;
}

/** Opens or reopens a guide at a table. */
export function openGuideAt(table: string, guide: string, match = 0): void {
  keep(table, { guide, match, progress: guideAt(table, match)?.progress ?? NO_PROGRESS, open: true });
}

export function leaveGuide(table: string): void {
  const kept = stored.tables[table];
  if (kept) keep(table, { ...kept, open: false });
}

export function keepProgress(table: string, progress: Progress): void {
  const kept = stored.tables[table];
  if (kept) keep(table, { ...kept, progress });
}

export function markFinished(guide: string): void {
  if (!hasFinished(guide)) write({ ...stored, finished: [...stored.finished, guide] });
}

export function hasFinished(guide: string): boolean {
  return stored.finished.includes(guide);
}

function keep(table: string, kept: GuideState): void {
  const { [table]: _, ...others } = stored.tables;
  write({ ...stored, tables: { ...others, [table]: kept } });
}
