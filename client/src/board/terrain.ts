/** What the ground of a cell is, and what stands on it. */
export type Ground = 'meadow' | 'trees' | 'rocks' | 'well' | 'gold' | 'forest' | 'mountain';

export type Terrain = readonly (readonly Ground[])[];

/** A kind of building: each has a colour, a pattern and a sign on the roof. */
export type Kind = 'residential' | 'industrial' | 'public' | 'church';

/** A building as it lies on a board. */
export interface Body {
  readonly id: string;
  readonly kind: Kind;
  readonly cells: readonly string[];
}
