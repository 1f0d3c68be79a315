/** The ground of a cell, or the thing on it. */
export type Ground =
  | 'meadow'
  | 'tree'
  | 'trees'
  | 'rocks'
  | 'well'
  | 'gold'
  | 'forest'
  | 'mountain'
  | 'water'
  | 'blue-entrance'
  | 'red-entrance'
  | 'yellow-entrance';

export type Terrain = readonly (readonly Ground[])[];

/** A kind of building: each has a colour, a pattern and a roof sign. The neutral one has none of them. */
export type Kind = 'residential' | 'industrial' | 'public' | 'church' | 'neutral';

/** The sign on a roof: that of the kind, or a special one. */
export type Roof = Exclude<Kind, 'neutral'> | 'factory' | 'sawmill' | 'port' | 'palace' | 'kiosk';

/** A building on a board. */
export interface Body {
  readonly id: string;
  readonly kind: Kind;
  readonly cells: readonly string[];
  /** Only if it differs from the sign of the kind. */
  readonly roof?: Roof;
}
