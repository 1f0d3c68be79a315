const KEY = 'polyopolis.reloaded';

/** Whether this tab has already loaded itself anew for that version of the server; it remembers having been asked. */
export function hasReloadedFor(version: string, memory: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  try {
    if (memory.getItem(KEY) === version) return true;
    memory.setItem(KEY, version);
    return false;
  } catch {
    return true; // Without a memory it could load itself for ever.
  }
}
