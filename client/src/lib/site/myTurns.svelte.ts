import type { TableInfo } from '../../wire/server';
import { siteInfo, loadSiteInfo } from './siteInfo.svelte';

const POLL_MILLISECONDS = 60_000;

/** Returns the tables that wait for this guest: the soonest deadline first, then the longest wait. */
export function waitingTablesIn(tables: readonly TableInfo[]): TableInfo[] {
  const time = (table: TableInfo): number => table.own_deadline ?? Infinity;
  return tables
    .filter(({ waiting }) => waiting)
    .sort((a, b) => (time(a) === time(b) ? a.changed - b.changed : time(a) - time(b)));
}

/** The known tables that wait for this guest, without one. */
export function waitingTables(but?: string): readonly TableInfo[] {
  return waitingTablesIn(siteInfo()?.tables ?? []).filter(({ table }) => table !== but);
}

/** The title of a page, with the number of waiting tables. */
export function titleWithCount(title: string, count: number): string {
  return count ? `(${count}) ${title}` : title;
}

/**
 * Sets the title of the page and the badge of the installed app to the number of waiting tables. The badge waits
 * until the number is known.
 */
export function setPageTitle(title: string, count = waitingTables().length): void {
  document.title = titleWithCount(title, count);
  if (siteInfo()) showBadge(count);
}

function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  void (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => null);
}

/** Polls for waiting tables, also when the page becomes visible. Returns a function that ends it. */
export function pollMyTurns(): () => void {
  const ask = (): void => void loadSiteInfo().catch(() => null);
  const looked = (): void => {
    if (document.visibilityState === 'visible') ask();
  };
  const timer = setInterval(ask, POLL_MILLISECONDS);
  document.addEventListener('visibilitychange', looked);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', looked);
  };
}
