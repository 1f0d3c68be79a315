/** The lines of the seats: a colour, and a dash pattern for colour-blind players. */
export const COLOURS = ['#c8502f', '#3f7fbf', '#5b8a4f', '#7d5ba6'];
const DASHES = ['', '7 4', '2 4', '10 4 2 4'];

export const dashOf = (seat: number): string => DASHES[(seat + Math.floor(seat / 4)) % 4] ?? '';

/** Returns a few round numbers from `low` to `high` for the marks of an axis. */
export function marksOf(low: number, high: number, most = 5): readonly number[] {
  const rough = Math.max(1, (high - low) / most);
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((times) => times * magnitude).find((found) => found >= rough) ?? rough;
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, n) => first + n * step || 0);
}
