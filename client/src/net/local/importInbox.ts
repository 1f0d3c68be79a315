import type { Import } from '../../wire/server';
import { openDatabase, writableStore } from './indexedDb';

/**
 * Leaves something for the house of a page, which takes it in when it is opened the next time. Nobody needs to be the
 * owner for that: the house only ever takes away what lies here.
 */
export async function leaveImport(name: string, wish: Import): Promise<void> {
  const database = await openDatabase();
  const { store, kept } = writableStore(database);
  store.put(JSON.stringify(wish), `inbox/${name}`);
  await kept;
  database.close();
}
