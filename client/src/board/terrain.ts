/** What the ground of a cell is, and what stands on it. */
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

/** A kind of building: each has a colour, a pattern and a sign on the roof. The neutral one is of no kind. */
export type Kind = 'residential' | 'industrial' | 'public' | 'church' | 'neutral';

/** The sign on a roof: that of the kind, or one of its own. */
export type Roof = Exclude<Kind, 'neutral'> | 'factory' | 'sawmill' | 'port' | 'palace' | 'kiosk';

/** A building as it lies on a board. */
export interface Body {
  readonly id: string;
  readonly kind: Kind;
  readonly cells: readonly string[];
  /** Where it is not the sign of the kind. */
  readonly roof?: Roof;
}
