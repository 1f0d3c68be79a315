import type { TableInfo } from '../../wire/server';
import { siteInfo, loadSiteInfo } from './siteInfo.svelte';

/** So often somebody who stays on a page learns what waits elsewhere, in milliseconds. */
const POLL_MILLISECONDS = 60_000;

/** The seats of this guest that are to decide; without those where a bot plays in. */
function dueSeats({ due, yours, seats, match }: TableInfo): readonly number[] {
  return match?.over ? [] : due.filter((seat) => yours.includes(seat) && !seats[seat]?.bot);
}

/** Whether this guest is asked something: another match, another pace, to go back. */
export function isAsked({ yours, asked = [] }: TableInfo): boolean {
  return asked.some((seat) => yours.includes(seat));
}

/** Until when this guest has time to decide, in milliseconds since 1970; null where no clock runs. */
export function ownDeadline(table: TableInfo): number | null {
  const all = dueSeats(table).flatMap((seat) => table.seats[seat]?.deadline ?? []);
  return all.length ? Math.min(...all) : null;
}

/** The tables that wait for this guest: the soonest deadline first, then what has waited longest. */
export function waitingTablesIn(tables: readonly TableInfo[]): TableInfo[] {
  const time = (table: TableInfo): number => ownDeadline(table) ?? Infinity;
  return tables
    .filter((table) => dueSeats(table).length > 0 || isAsked(table))
    .sort((a, b) => (time(a) === time(b) ? a.changed - b.changed : time(a) - time(b)));
}

/** What waits for this guest, as far as is known; at all tables but this. */
export function waitingTables(but?: string): readonly TableInfo[] {
  return waitingTablesIn(siteInfo()?.tables ?? []).filter(({ table }) => table !== but);
}

/** The title of a page, with how much waits. */
export function titleWithCount(title: string, count: number): string {
  return count ? `(${count}) ${title}` : title;
}

/** The title of the page that is open, with how much waits; the sign on the app's picture says the same, once it is known. */
export function setPageTitle(title: string, count = waitingTables().length): void {
  document.title = titleWithCount(title, count);
  if (siteInfo()) showBadge(count);
}

function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  void (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => null);
}

/** Asks from time to time what waits, and when somebody turns to the page; what is given back ends it. */
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
