import type { Import } from '../../wire/server';
import { openRows, writing } from './indexedDb';

/**
 * Leaves something for the house of a page, which takes it in when it is opened the next time. Nobody needs to be the
 * owner for that: the house only ever takes away what lies here.
 */
export async function leave(name: string, wish: Import): Promise<void> {
  const database = await openRows();
  const { store, kept } = writing(database);
  store.put(JSON.stringify(wish), `inbox/${name}`);
  await kept;
  database.close();
}
