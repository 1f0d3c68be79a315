const STEPS: Readonly<Record<string, number | undefined>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};
/** Elements with their own use of the arrow keys. */
const OWN = 'input, select, textarea, dialog, [role=grid]';

/** Returns the number of steps for a key; null for other keys. */
export function steppedBy(event: KeyboardEvent): number | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  if (event.target instanceof Element && event.target.closest(OWN)) return null;
  return STEPS[event.key] ?? null;
}
