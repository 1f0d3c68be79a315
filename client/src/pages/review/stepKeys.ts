const STEPS: Readonly<Record<string, number | undefined>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
};
/** Where the arrow keys mean something else. */
const OWN = 'input, select, textarea, dialog, [role=grid]';

/** How far a key leads through a match; null if it is none of those. */
export function steppedBy(event: KeyboardEvent): number | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  if (event.target instanceof Element && event.target.closest(OWN)) return null;
  return STEPS[event.key] ?? null;
}
