/** An area of the screen. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type Size = Pick<Box, 'width' | 'height'>;
export type CardPosition = Pick<Box, 'left' | 'top'>;

/** Distances of the card from its target and from the edges of the screen, in pixels. */
const GAP = 18;
const EDGE = 12;
/** Cost for each covered square pixel. Covering the target is worst; covering controls that are needed now is bad. */
const WEIGHTS = { target: 1000, needed: 60, other: 1 };
/** Cost for each pixel of distance from the target, in covered square pixels. */
const NEAR = 14;

export interface Surroundings {
  readonly screen: Size;
  /** The lower edge of the header. */
  readonly top: number;
  readonly target: Box | null;
  /** Areas that the player has to see and click now. */
  readonly needed: readonly Box[];
  readonly others: readonly Box[];
}

/** A card moves only if the new position is cheaper by this cost. */
const CALM = 12_000;

/** Returns the cheapest position of the card; its previous one if that costs hardly more. */
export function placeCard(card: Size, around: Surroundings, before: CardPosition | null = null): CardPosition {
  const places = candidates(card, around).map(({ left, top }) => ({
    left: between(left, EDGE, around.screen.width - card.width - EDGE),
    top: between(top, around.top + EDGE, around.screen.height - card.height - EDGE),
  }));
  const costs = places.map((place) => costOf({ ...card, ...place }, around));
  if (before && fits(card, before, around) && costOf({ ...card, ...before }, around) < Math.min(...costs) + CALM)
    return before;
  return places[costs.indexOf(Math.min(...costs))] ?? { left: EDGE, top: around.top + EDGE };
}

function fits(card: Size, { left, top }: CardPosition, { screen }: Surroundings): boolean {
  return left + card.width <= screen.width && top + card.height <= screen.height;
}

function candidates(card: Size, { screen, top, target }: Surroundings): readonly CardPosition[] {
  const rows = [screen.height, (top + screen.height - card.height) / 2, top];
  const columns = [screen.width, 0, (screen.width - card.width) / 2];
  const edges = columns.flatMap((left) => rows.map((row) => ({ left, top: row })));
  if (!target) return edges;
  const sides = [target.left + target.width + GAP, target.left - card.width - GAP];
  const heights = [
    target.top,
    target.top + (target.height - card.height) / 2,
    target.top + target.height - card.height,
  ];
  const levels = [target.top + target.height + GAP, target.top - card.height - GAP];
  const widths = [target.left, target.left + (target.width - card.width) / 2, target.left + target.width - card.width];
  return [
    ...sides.flatMap((left) => heights.map((height) => ({ left, top: height }))),
    ...levels.flatMap((level) => widths.map((left) => ({ left, top: level }))),
    ...edges,
  ];
}

function costOf(card: Box, { target, needed, others }: Surroundings): number {
  const covered = (boxes: readonly Box[]): number => boxes.reduce((sum, box) => sum + common(card, box), 0);
  return (
    covered(target ? [grown(target)] : []) * WEIGHTS.target +
    covered(needed) * WEIGHTS.needed +
    covered(others) * WEIGHTS.other +
    (target ? distance(card, target) * NEAR : 0)
  );
}

function grown({ left, top, width, height }: Box): Box {
  return { left: left - GAP / 2, top: top - GAP / 2, width: width + GAP, height: height + GAP };
}

function common(a: Box, b: Box): number {
  const width = Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left);
  const height = Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

function distance(a: Box, b: Box): number {
  const x = Math.max(0, b.left - (a.left + a.width), a.left - (b.left + b.width));
  const y = Math.max(0, b.top - (a.top + a.height), a.top - (b.top + b.height));
  return Math.hypot(x, y);
}

function between(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}

/** Returns the smallest box around all boxes. */
export function boundingBox(boxes: readonly Box[]): Box | null {
  if (!boxes.length) return null;
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}
