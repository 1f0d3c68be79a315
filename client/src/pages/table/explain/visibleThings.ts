import type { ExplainRequest } from '../../../games/types';
import { splitThing } from '../../../lib/match/things';

/** Returns the visible things below a root in document order. */
export function visibleThings(root: ParentNode = document): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-thing]')].filter(
    (thing) => thing.checkVisibility({ visibilityProperty: true }) && thing.getBoundingClientRect().width > 0,
  );
}

/** Returns the thing at a point, below any elements that are not things. */
export function thingAt(x: number, y: number): HTMLElement | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const thing = element.closest<HTMLElement>('[data-thing]');
    if (thing) return thing;
  }
  return null;
}

/** Returns the question about a thing; a thing without an owner is explained for the seat of the viewer. */
export function explainRequest(thing: HTMLElement, me: number): ExplainRequest {
  const [kind, which] = splitThing(thing.dataset['thing'] ?? '');
  const owner = thing.closest<HTMLElement>('[data-seat]')?.dataset['seat'];
  return { kind, which, seat: owner === undefined ? me : Number(owner) };
}
