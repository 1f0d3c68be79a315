import { cellAt, inReadingOrder, squareOf, type Cell, type Square } from '../geometry/cells';
import { sameShape, type Shape } from '../geometry/shapes';

/** A choice that covers cells. */
export interface Covering {
  readonly cells: readonly Cell[];
}

/** A choice as a place for the piece: its orientation, and the square of its top left corner. */
export interface Placement<Choice extends Covering> extends Square {
  readonly choice: Choice;
  readonly turn: number;
}

/** Returns the cells under a shape whose top left corner lies on a square. */
export function squaresUnder(shape: Shape, { x, y }: Square): readonly Square[] {
  return shape.squares.map((square) => ({ x: x + square.x, y: y + square.y }));
}

export function cellNames(squares: readonly Square[]): readonly Cell[] {
  return [...squares].sort(inReadingOrder).map(({ x, y }) => cellAt(x, y));
}

/** The legal places for a piece, searchable by cell and by distance. It takes the choices and knows no rules. */
export class Placements<Choice extends Covering> {
  readonly all: readonly Placement<Choice>[];
  private readonly byCell = new Map<Cell, Placement<Choice>[]>();

  constructor(
    choices: readonly Choice[],
    private readonly turns: readonly Shape[],
  ) {
    this.all = choices.flatMap((choice) => this.placementsOf(choice));
    for (const place of this.all) {
      for (const cell of place.choice.cells) {
        this.byCell.set(cell, [...(this.byCell.get(cell) ?? []), place]);
      }
    }
  }

  /** All cells that a place covers. */
  get cells(): readonly Cell[] {
    return [...this.byCell.keys()];
  }

  at(turn: number, { x, y }: Square): Placement<Choice> | undefined {
    return this.all.find((place) => place.turn === turn && place.x === x && place.y === y);
  }

  /** Returns the place of an orientation nearest to a point, if one is within reach. */
  nearest(turn: number, point: Square, reach: number): Placement<Choice> | undefined {
    const near = this.all.filter((place) => place.turn === turn && far(place, point) <= reach);
    return near.sort((a, b) => far(a, point) - far(b, point))[0];
  }

  /**
   * Returns the places that cover a cell: those of the current orientation first, then by the distance of their
   * middle.
   */
  covering(cell: Cell, turn: number, point: Square): readonly Placement<Choice>[] {
    const count = this.turns.length;
    const away = (place: Placement<Choice>): number => (place.turn - turn + count) % count;
    const middle = (place: Placement<Choice>): Square => {
      const { width, height } = this.turns[place.turn]!;
      return { x: place.x + width / 2, y: place.y + height / 2 };
    };
    return [...(this.byCell.get(cell) ?? [])].sort(
      (a, b) => away(a) - away(b) || far(middle(a), point) - far(middle(b), point),
    );
  }

  private placementsOf(choice: Choice): readonly Placement<Choice>[] {
    const squares = choice.cells.map(squareOf);
    const x = Math.min(...squares.map((square) => square.x));
    const y = Math.min(...squares.map((square) => square.y));
    const shape: Shape = {
      squares: squares.map((square) => ({ x: square.x - x, y: square.y - y })).sort(inReadingOrder),
      width: 0,
      height: 0,
    };
    const turn = this.turns.findIndex((other) => sameShape(other, shape));
    return turn < 0 ? [] : [{ choice, turn, x, y }];
  }
}

function far(a: Square, b: Square): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
