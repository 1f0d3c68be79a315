import { openBook } from '../../../i18n/books.svelte';
import type { TableSession } from './tableSession.svelte';

/** Brings what is needed to hear others at a table; a table is a table without it. */
export async function loadSocial(session: TableSession): Promise<void> {
  if (session.social) return;
  try {
    const [{ TableSocial }] = await Promise.all([import('../social/tableSocial.svelte'), openBook('company')]);
    const { tableView, id } = session;
    session.social ??= new TableSocial({
      id,
      name: (seat) => tableView.names[seat] ?? '',
      yours: () => tableView.table?.yours ?? [],
    });
  } catch {
    session.social = null;
  }
}
