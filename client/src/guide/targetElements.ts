import { boundingBox, type Box } from './cardPlacement';

const SHOWN = '[data-thing]';

/** The thing of this name on the page, or else all of its kind. */
export function elementsOf(thing: string): readonly HTMLElement[] {
  const named = (selector: string): HTMLElement[] =>
    [...document.querySelectorAll<HTMLElement>(selector)].filter(isSeen);
  const [very] = named(`[data-thing="${thing}"]`);
  return very ? [very] : named(`[data-thing^="${thing}:"]`);
}

/** The first of these things that is on the page. */
export function firstOf(things: readonly string[]): readonly HTMLElement[] {
  for (const thing of things) {
    const found = elementsOf(thing);
    if (found.length) return found;
  }
  return [];
}

/** Where elements are on the screen, together. */
export function boxOf(elements: readonly Element[]): Box | null {
  return boundingBox(elements.map((element) => element.getBoundingClientRect()));
}

/** Everything else that has a name. */
export function otherBoxes(than: readonly Element[]): readonly Box[] {
  return [...document.querySelectorAll(SHOWN)]
    .filter((element) => isSeen(element) && !than.includes(element))
    .map((element) => element.getBoundingClientRect());
}

/** The thing that an event happened at, and those around it. */
export function thingsAt(event: Event): readonly string[] {
  return event
    .composedPath()
    .flatMap((element) => (element instanceof Element ? (element.getAttribute('data-thing') ?? []) : []));
}

/** Brings the keyboard to a thing. */
export function focusOn(elements: readonly HTMLElement[]): void {
  const focusable = 'a[href], button, input, select, summary, [tabindex="0"]';
  const wanted = elements.flatMap((element) =>
    element.matches(focusable) ? [element] : [...element.querySelectorAll<HTMLElement>(focusable)],
  );
  wanted[0]?.focus();
}

/** What an advised action is about: cells, or the button for it. */
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
