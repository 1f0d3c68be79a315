import type { ExplainRequest } from '../../../games/types';
import { splitThing } from '../../../lib/match/things';

/** What is to be seen of the things on the page, in its order; what a dialog covers is not asked about. */
export function visibleThings(root: ParentNode = document): readonly HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-thing]')].filter(
    (thing) => thing.checkVisibility({ visibilityProperty: true }) && thing.getBoundingClientRect().width > 0,
  );
}

/** The thing at a point, whatever lies over it that is none. */
export function thingAt(x: number, y: number): HTMLElement | null {
  for (const found of document.elementsFromPoint(x, y)) {
    const thing = found.closest<HTMLElement>('[data-thing]');
    if (thing) return thing;
  }
  return null;
}

/** A thing as it is asked about; where it belongs to nobody it is asked about for the one who asks. */
export function explainRequest(thing: HTMLElement, me: number): ExplainRequest {
  const [kind, which] = splitThing(thing.dataset['thing'] ?? '');
  const owner = thing.closest<HTMLElement>('[data-seat]')?.dataset['seat'];
  return { kind, which, seat: owner === undefined ? me : Number(owner) };
}
