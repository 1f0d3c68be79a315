import type { TableInfo } from '../../wire/server';
import { hello, sayHello } from './siteInfo.svelte';

/** So often somebody who stays on a page learns what waits elsewhere, in milliseconds. */
const OFTEN = 60_000;

/** The seats of this guest that are to decide; without those where a bot plays in. */
function owed({ due, yours, seats, match }: TableInfo): readonly number[] {
  return match?.over ? [] : due.filter((seat) => yours.includes(seat) && !seats[seat]?.bot);
}

/** Whether this guest is asked something: another match, another pace, to go back. */
export function isAsked({ yours, asked = [] }: TableInfo): boolean {
  return asked.some((seat) => yours.includes(seat));
}

/** Until when this guest has time to decide, in milliseconds since 1970; null where no clock runs. */
export function deadline(table: TableInfo): number | null {
  const all = owed(table).flatMap((seat) => table.seats[seat]?.deadline ?? []);
  return all.length ? Math.min(...all) : null;
}

/** The tables that wait for this guest: the soonest deadline first, then what has waited longest. */
export function waits(tables: readonly TableInfo[]): TableInfo[] {
  const time = (table: TableInfo): number => deadline(table) ?? Infinity;
  return tables
    .filter((table) => owed(table).length > 0 || isAsked(table))
    .sort((a, b) => (time(a) === time(b) ? a.changed - b.changed : time(a) - time(b)));
}

/** What waits for this guest, as far as is known; at all tables but this. */
export function waiting(but?: string): readonly TableInfo[] {
  return waits(hello()?.tables ?? []).filter(({ table }) => table !== but);
}

/** The title of a page, with how much waits. */
export function counted(title: string, count: number): string {
  return count ? `(${count}) ${title}` : title;
}

/** The title of the page that is open, with how much waits; the sign on the app's picture says the same, once it is known. */
export function entitle(title: string, count = waiting().length): void {
  document.title = counted(title, count);
  if (hello()) showBadge(count);
}

function showBadge(count: number): void {
  if (!('setAppBadge' in navigator)) return;
  void (count ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => null);
}

/** Asks from time to time what waits, and when somebody turns to the page; what is given back ends it. */
export function keepAsking(): () => void {
  const ask = (): void => void sayHello().catch(() => null);
  const looked = (): void => {
    if (document.visibilityState === 'visible') ask();
  };
  const timer = setInterval(ask, OFTEN);
  document.addEventListener('visibilitychange', looked);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', looked);
  };
}
