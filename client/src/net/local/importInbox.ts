import type { Import } from '../../wire/server';
import { openDatabase, writableStore } from './indexedDb';

/**
 * Stores an import for the local backend, which reads it at its next start. This needs no ownership of the storage:
 * the backend only ever deletes entries of the inbox.
 */
export async function leaveImport(name: string, wish: Import): Promise<void> {
  const database = await openDatabase();
  const { store, kept } = writableStore(database);
  store.put(JSON.stringify(wish), `inbox/${name}`);
  await kept;
  database.close();
}
