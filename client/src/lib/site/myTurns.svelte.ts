import type { TableInfo } from '../../wire/server';
import { siteInfo, loadSiteInfo } from './siteInfo.svelte';

const POLL_MILLISECONDS = 60_000;

/** The seats of this guest that have to decide, without those where a bot stands in. */
function dueSeats({ due, yours, seats, match }: TableInfo): readonly number[] {
  return match?.over ? [] : due.filter((seat) => yours.includes(seat) && !seats[seat]?.bot);
}

/** Whether this guest is asked for consent: to another match, another pace or a takeback. */
export function isAsked({ yours, asked = [] }: TableInfo): boolean {
  return asked.some((seat) => yours.includes(seat));
}

/** The deadline of this guest, in milliseconds since 1970; null if no clock runs. */
export function ownDeadline(table: TableInfo): number | null {
  const all = dueSeats(table).flatMap((seat) => table.seats[seat]?.deadline ?? []);
  return all.length ? Math.min(...all) : null;
}

/** Returns the tables that wait for this guest: the soonest deadline first, then the longest wait. */
export function waitingTablesIn(tables: readonly TableInfo[]): TableInfo[] {
  const time = (table: TableInfo): number => ownDeadline(table) ?? Infinity;
  return tables
    .filter((table) => dueSeats(table).length > 0 || isAsked(table))
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
