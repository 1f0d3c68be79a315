import { openBook } from '../../../i18n/books.svelte';
import type { TableSession } from './tableSession.svelte';

/** Brings what is needed to hear others at a table; a table is a table without it. */
export async function meet(session: TableSession): Promise<void> {
  if (session.company) return;
  try {
    const [{ Company }] = await Promise.all([import('../social/tableSocial.svelte'), openBook('company')]);
    const { sight, id } = session;
    session.company ??= new Company({
      id,
      name: (seat) => sight.names[seat] ?? '',
      yours: () => sight.table?.yours ?? [],
    });
  } catch {
    session.company = null;
  }
}
