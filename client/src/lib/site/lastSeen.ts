const KEY = 'polyopolis.seen';
const MAX_TABLES = 80;

/** The last position of a match that this device has shown. */
export interface LastSeen {
  readonly match: number;
  readonly moves: number;
}

type Kept = Readonly<Record<string, readonly [match: number, moves: number]>>;

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept ? (kept as Kept) : {};
  } catch {
    return {}; // no storage
  }
}

/** Returns the last shown position of a table; null if there is none. */
export function lastSeen(table: string): LastSeen | null {
  const [match, moves] = read()[table] ?? [];
  return typeof match === 'number' && typeof moves === 'number' ? { match, moves } : null;
}

/** Remembers the shown position of a table. The oldest entries are dropped. */
export function rememberSeen(table: string, { match, moves }: LastSeen): void {
  const others = Object.entries(read()).filter(([other]) => other !== table);
  const kept = Object.fromEntries([...others.slice(1 - MAX_TABLES), [table, [match, moves]]]);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage everything is new next time.
  }
}
