const KEY = 'polyopolis.read';
/** Number of tables that are remembered on a device. */
const MAX_TABLES = 80;

type Kept = Readonly<Record<string, number>>;

function read(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof kept === 'object' && kept ? (kept as Kept) : {};
  } catch {
    return {}; // storage may be unavailable
  }
}

/** Returns the time until which the chat of a table was read here, in milliseconds since 1970. */
export function lastRead(table: string): number {
  return Number(read()[table]) || 0;
}

export function markRead(table: string, time: number): void {
  const others = Object.entries(read()).filter(([other]) => other !== table);
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...others.slice(1 - MAX_TABLES), [table, time]])));
  } catch {
    // Without storage the messages are new again.
  }
}
