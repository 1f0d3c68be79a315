const KEY = 'polyopolis.seen';
/** So many tables are remembered on a device. */
const MAX_TABLES = 80;

/** How far somebody has seen a match on this device. */
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
    return {}; // a browser that keeps nothing
  }
}

/** What was last seen of a table here; null if nothing was. */
export function lastSeen(table: string): LastSeen | null {
  const [match, moves] = read()[table] ?? [];
  return typeof match === 'number' && typeof moves === 'number' ? { match, moves } : null;
}

/** Those seen last stay remembered. */
export function rememberSeen(table: string, { match, moves }: LastSeen): void {
  const others = Object.entries(read()).filter(([other]) => other !== table);
  const kept = Object.fromEntries([...others.slice(1 - MAX_TABLES), [table, [match, moves]]]);
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Then everything is new next time.
  }
}
