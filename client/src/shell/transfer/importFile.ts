import { address } from '../../lib/routing/router';
import { api } from '../../net/api/api';
import { importGame } from '../../net/api/transfer';
import { openWords, importRefusal } from './words';

/** Imports a file and returns the address of its game: the table if it goes on, the review if it is over. */
export async function importFile(file: Blob): Promise<string | ReturnType<typeof importRefusal>> {
  try {
    const table = await importGame(file);
    const { match, plan } = await api.table(table);
    if (!match?.over || plan.length) return address({ page: 'table', table });
    return address({ page: 'review', table, match: match.number });
  } catch (error) {
    await openWords();
    return importRefusal(error);
  }
}
