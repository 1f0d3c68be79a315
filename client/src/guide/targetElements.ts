import { boundingBox, type Box } from './cardPlacement';

const SHOWN = '[data-thing]';

/** Returns the element of a thing, or all elements of its kind. */
export function elementsOf(thing: string): readonly HTMLElement[] {
  const named = (selector: string): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(isSeen);
  const [very] = named(`[data-thing="${thing}"]`);
  return very ? [very] : named(`[data-thing^="${thing}:"]`);
}

/** Returns the elements of the first of these things that is on the page. */
export function firstOf(things: readonly string[]): readonly HTMLElement[] {
  for (const thing of things) {
    const matching = elementsOf(thing);
    if (matching.length) return matching;
  }
  return [];
}

/** Returns the screen area of elements. */
export function boxOf(elements: readonly Element[]): Box | null {
  return boundingBox(elements.map((element) => element.getBoundingClientRect()));
}

/** Returns the screen areas of all other things. */
export function otherBoxes(than: readonly Element[]): readonly Box[] {
  return [...document.querySelectorAll(SHOWN)]
    .filter((element) => isSeen(element) && !than.includes(element))
    .map((element) => element.getBoundingClientRect());
}

/** Returns the things where an event happened. */
export function thingsAt(event: Event): readonly string[] {
  return event
    .composedPath()
    .flatMap((element) => (element instanceof Element ? (element.getAttribute('data-thing') ?? []) : []));
}

/** Moves the keyboard focus to a thing. */
export function focusOn(elements: readonly HTMLElement[]): void {
  const focusable = 'a[href], button, input, select, summary, [tabindex="0"]';
  const wanted = elements.flatMap((element) =>
    element.matches(focusable) ? [element] : [...element.querySelectorAll<HTMLElement>(focusable)],
  );
  wanted[0]?.focus();
}

/** Returns the things of an advised action: cells, or its button. */
export function thingsOf(action: unknown): readonly string[] {
  const { type, cells, cell, at } = action as {
    readonly type: string;
    readonly cells?: readonly string[];
    readonly cell?: string;
    readonly at?: string;
  };
  const names = cells ?? [cell ?? at].flatMap((name) => name ?? []);
  return names.length ? names.map((name) => `cell:${name}`) : [type];
}

function isSeen(element: Element): boolean {
  return element.checkVisibility() && element.getBoundingClientRect().width > 0;
}
