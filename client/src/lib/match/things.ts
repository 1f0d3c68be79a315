/**
 * Everything at a table that somebody may point at or ask about bears one attribute: `data-thing="<kind>"`, or
 * `data-thing="<kind>:<which>"` where there is more than one of a kind. Guides and "What is this?" find it by that.
 */
export type Thing<Kind extends string = string> = Kind | `${Kind}:${string}`;

/** What names things of these kinds, and no others. */
export type ThingNamer<Kind extends string> = (kind: Kind, which?: string | number) => Thing<Kind>;

export function thingNamer<const Kind extends string>(..._kinds: readonly (readonly Kind[])[]): ThingNamer<Kind> {
  return (kind, which) => (which === undefined ? kind : `${kind}:${which}`);
}

/** A thing as it is asked about: its kind, and which of them; empty where there is one alone. */
export function splitThing(thing: string): readonly [kind: string, which: string] {
  const at = thing.indexOf(':');
  return at < 0 ? [thing, ''] : [thing.slice(0, at), thing.slice(at + 1)];
}

/** What is there at every table, around the board. */
export const TABLE_THINGS = ['headline', 'people', 'hint', 'take-back', 'ask', 'menu'] as const;
/** What every board is made of. */
export const BOARD_THINGS = ['cell'] as const;

export const tableThing = thingNamer(TABLE_THINGS);
export const boardThing = thingNamer(BOARD_THINGS);
