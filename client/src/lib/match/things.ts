/**
 * A thing at a table, which guides and "What is this?" can address. Its element has the attribute
 * `data-thing="<kind>"`, or `data-thing="<kind>:<which>"` if there are several of a kind.
 */
export type Thing<Kind extends string = string> = Kind | `${Kind}:${string}`;

/** Names things of these kinds only. */
export type ThingNamer<Kind extends string> = (kind: Kind, which?: string | number) => Thing<Kind>;

export function thingNamer<const Kind extends string>(..._kinds: readonly (readonly Kind[])[]): ThingNamer<Kind> {
  return (kind, which) => (which === undefined ? kind : `${kind}:${which}`);
}

/** Splits a thing into its kind and its number; the second part is empty if there is only one of the kind. */
export function splitThing(thing: string): readonly [kind: string, which: string] {
  const at = thing.indexOf(':');
  return at < 0 ? [thing, ''] : [thing.slice(0, at), thing.slice(at + 1)];
}

/** The things around the board at every table. */
export const TABLE_THINGS = ['headline', 'people', 'hint', 'take-back', 'ask', 'menu'] as const;
/** The things of every board. */
export const BOARD_THINGS = ['cell'] as const;

export const tableThing = thingNamer(TABLE_THINGS);
export const boardThing = thingNamer(BOARD_THINGS);
