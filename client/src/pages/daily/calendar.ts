/** Returns the month of a day: `2026-11` for `2026-11-16`, as the server names days. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}

/** Returns the month that lies a number of months later. */
export function monthAfter(month: string, months: number): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return monthOf(new Date(Date.UTC(year, number - 1 + months, 1)).toISOString());
}

export function dayAfter(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}

/** Returns the days of a month in weeks that begin on Monday; null in place of days of other months. */
export function weeksOf(month: string): (string | null)[][] {
  const first = `${month}-01`;
  const before = (new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7;
  const cells: (string | null)[] = Array.from({ length: before }, () => null);
  for (let day = first; monthOf(day) === month; day = dayAfter(day, 1)) cells.push(day);
  while (cells.length % 7) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(7 * week, 7 * week + 7));
}

/** Returns midnight of a day; date formats must use `timeZone: 'UTC'`. */
export function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

/** Returns a duration in hours and minutes; the last minute is rounded up. */
export function hoursOf(left: number): { hours: number; minutes: number } {
  const minutes = Math.max(1, Math.ceil(left / 60_000));
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 };
}
