const KEY = 'polyopolis.reloaded';

/** Whether this tab has already reloaded for this version of the server; records the call. */
export function hasReloadedFor(version: string, memory: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  try {
    if (memory.getItem(KEY) === version) return true;
    memory.setItem(KEY, version);
    return false;
  } catch {
    return true; // without storage it could reload for ever
  }
}
