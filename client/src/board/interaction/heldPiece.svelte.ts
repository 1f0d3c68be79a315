import { cellAt, onBoard, squareOf, type Cell, type Size, type Square } from '../geometry/cells';
import { gripSquare, mirroredShape, sameShape, rotatedShape, type Shape } from '../geometry/shapes';
import { cellNames, Placements, squaresUnder, type Covering, type Placement } from './placements';

/** Distance in cells over which a dropped piece slides to a legal place. */
const SLIDE = 0.75;

export type Drop =
  | { readonly type: 'laid' }
  | { readonly type: 'back' }
  | { readonly type: 'refused'; readonly squares: readonly Square[] };

/**
 * The piece that the player holds: its orientation, and its position on or over the board. It takes the legal
 * choices and returns one of them; it knows no rules.
 */
export class HeldPiece<Choice extends Covering> {
  turn = $state(0);
  /** The top left corner of the piece after it was placed. */
  spot = $state.raw<Square | null>(null);
  /** The top left corner that a click would give it. */
  hovered = $state.raw<Square | null>(null);
  /** The top left corner while the piece is dragged, in fractions of cells. */
  dragged = $state.raw<Square | null>(null);

  private turns = $state.raw<readonly Shape[]>([]);
  private places = $state.raw<Placements<Choice>>(new Placements<Choice>([], []));
  private size: Size = { width: 0, height: 0 };
  private aimed: Cell | null = null;
  private pointer: Square = { x: 0, y: 0 };

  /** Takes a new piece in its first orientation. */
  take(turns: readonly Shape[], choices: readonly Choice[], size: Size): void {
    this.turns = turns;
    this.size = size;
    this.turn = 0;
    this.offer(choices);
    this.putBack();
  }

  /** Replaces the choices of the same piece. */
  offer(choices: readonly Choice[]): void {
    this.places = new Placements(choices, this.turns);
  }

  get shape(): Shape | undefined {
    return this.turns[this.turn];
  }

  get turnable(): boolean {
    return this.shape !== undefined && !sameShape(this.shape, rotatedShape(this.shape));
  }

  /** Whether the game allows the mirror image and it differs from all rotations. */
  get mirrorable(): boolean {
    if (!this.shape || this.find(mirroredShape(this.shape)) < 0) return false;
    const image = mirroredShape(this.shape);
    let turn = this.shape;
    for (let quarter = 0; quarter < 4; quarter++, turn = rotatedShape(turn)) if (sameShape(turn, image)) return false;
    return true;
  }

  /** All cells that the piece may cover. */
  get cells(): readonly Cell[] {
    return this.places.cells;
  }

  get hasPlaces(): boolean {
    return this.places.all.length > 0;
  }

  /** The legal place where the piece lies now. */
  get place(): Placement<Choice> | undefined {
    return this.spot ? this.places.at(this.turn, this.spot) : undefined;
  }

  /** The position to draw: snapped to a place while the piece is dragged near one. */
  get shown(): Square | null {
    if (this.dragged) return this.places.nearest(this.turn, this.dragged, SLIDE) ?? null;
    return this.spot ?? this.hovered;
  }

  get shownCells(): readonly Cell[] {
    return this.shape && this.shown ? cellNames(squaresUnder(this.shape, this.shown)) : [];
  }

  /** The choice at the drawn position, if it is legal. */
  get shownChoice(): Choice | null {
    return this.shown ? (this.places.at(this.turn, this.shown)?.choice ?? null) : null;
  }

  /**
   * Places the piece on a cell; a second tap on the same cell selects the next place there. Returns false if there
   * is none.
   */
  tap(cell: Cell, point: Square): boolean {
    const again = this.spot !== null && this.aimed === cell;
    const ways = this.places.covering(cell, again ? 0 : this.turn, again ? this.pointer : point);
    if (ways.length === 0) return false;
    const now = ways.findIndex((way) => this.isAt(way));
    const way = again || now === 0 ? ways[(now + 1) % ways.length]! : ways[0]!;
    if (!again) this.pointer = point;
    this.aimed = cell;
    this.lay(way);
    return true;
  }

  /** Places the piece over a cell in its orientation, on a legal place if one covers the cell. */
  aim(cell: Cell): void {
    this.aimed = cell;
    this.pointer = middle(cell);
    this.hovered = null;
    this.spot = this.nearCell(cell, this.pointer);
  }

  hover(cell: Cell, point: Square): void {
    if (this.spot || this.dragged) return;
    this.aimed = cell;
    this.pointer = point;
    this.hovered = this.nearCell(cell, point);
  }

  unhover(): void {
    this.hovered = null;
  }

  /** Rotates the piece by quarters, clockwise; on the board it stays over the same cell. */
  rotate(quarters: number): void {
    let shape = this.shape;
    for (let quarter = 0; shape && quarter < ((quarters % 4) + 4) % 4; quarter++) shape = rotatedShape(shape);
    if (shape) this.hold(shape);
  }

  /** Mirrors the piece left to right. */
  mirror(): void {
    if (this.shape) this.hold(mirroredShape(this.shape));
  }

  /** Changes the orientation, if the piece has that one; on the board it stays over the same cell. */
  private hold(shape: Shape): void {
    const before = this.shape;
    const turn = this.find(shape);
    if (!before || turn < 0 || turn === this.turn) return;
    this.turn = turn;
    if (this.aimed && this.spot) this.spot = this.nearCell(this.aimed, this.pointer);
    if (this.aimed && this.hovered) this.hovered = this.nearCell(this.aimed, this.pointer);
    if (this.dragged) this.dragged = aroundMiddle(this.dragged, before, this.shape);
  }

  /** Takes the piece off the board and keeps its orientation. */
  putBack(): void {
    this.spot = null;
    this.hovered = null;
    this.dragged = null;
    this.aimed = null;
  }

  drag(to: Square): void {
    this.spot = null;
    this.hovered = null;
    this.dragged = to;
  }

  /**
   * Ends a drag: the piece slides to a legal place nearby, or is refused; outside of the board it returns to the
   * hand.
   */
  drop(): Drop {
    const shape = this.shape;
    const at = this.dragged;
    const place = at && this.places.nearest(this.turn, at, SLIDE);
    this.dragged = null;
    if (!shape || !at) return { type: 'back' };
    if (place) {
      const held = gripSquare(shape);
      this.aimed = cellAt(place.x + held.x, place.y + held.y);
      this.pointer = middle(this.aimed);
      this.lay(place);
      return { type: 'laid' };
    }
    const squares = squaresUnder(shape, { x: Math.round(at.x), y: Math.round(at.y) });
    this.putBack();
    const off = squares.filter((square) => !onBoard(square, this.size)).length;
    return off * 2 >= squares.length ? { type: 'back' } : { type: 'refused', squares };
  }

  /** Returns the squares that the piece would cover if its middle was over a cell. */
  around(cell: Cell): readonly Square[] {
    return this.shape ? squaresUnder(this.shape, this.heldOver(cell)) : [];
  }

  private find(shape: Shape): number {
    return this.turns.findIndex((turn) => sameShape(turn, shape));
  }

  private lay({ turn, x, y }: Placement<Choice>): void {
    this.turn = turn;
    this.spot = { x, y };
    this.hovered = null;
  }

  private isAt(place: Placement<Choice>): boolean {
    return place.turn === this.turn && place.x === this.spot?.x && place.y === this.spot.y;
  }

  private nearCell(cell: Cell, point: Square): Square | null {
    const way = this.places.covering(cell, this.turn, point)[0];
    if (way?.turn === this.turn) return { x: way.x, y: way.y };
    return this.heldOver(cell);
  }

  private heldOver(cell: Cell): Square {
    const shape = this.shape;
    if (!shape) return squareOf(cell);
    const held = gripSquare(shape);
    const { x, y } = squareOf(cell);
    return {
      x: between(0, x - held.x, this.size.width - shape.width),
      y: between(0, y - held.y, this.size.height - shape.height),
    };
  }
}

function middle(cell: Cell): Square {
  const { x, y } = squareOf(cell);
  return { x: x + 0.5, y: y + 0.5 };
}

function aroundMiddle({ x, y }: Square, before: Size, after: Size): Square {
  return { x: x + (before.width - after.width) / 2, y: y + (before.height - after.height) / 2 };
}

function between(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
