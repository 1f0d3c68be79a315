import { address } from '../../lib/routing/router';
import { api } from '../../net/api/api';
import { open } from '../../net/api/transfer';
import { openWords, refusal } from './words';

/** Where the game of a file is found: at a table where it goes on, or, once it is over, with what there is to learn from it. */
export async function taken(file: Blob): Promise<string | ReturnType<typeof refusal>> {
  try {
    const table = await open(file);
    const { match, plan } = await api.table(table);
    if (!match?.over || plan.length) return address({ page: 'table', table });
    return address({ page: 'review', table, match: match.number });
  } catch (error) {
    await openWords();
    return refusal(error);
  }
}
