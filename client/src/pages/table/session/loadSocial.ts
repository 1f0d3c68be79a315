import { openBook } from '../../../i18n/books.svelte';
import type { TableSession } from './tableSession.svelte';

/** Loads the social features of a table; the table works without them. */
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
