import type { Cell } from '../../board/geometry/cells';
import type { PlacingTable } from './table';

interface FocusContext {
  readonly table: PlacingTable;
  /** The seat whose city is large unless another one is visited. */
  readonly home: number;
  /** The line that is being counted. */
  readonly counted?: string | null;
}

/** The state of the view: the large city, and the highlighted line of its score sheet. */
export class CityFocus {
  private visited = $state<number | null>(null);
  private pointed = $state<string | null>(null);
  private held = $state<string | null>(null);

  constructor(private readonly around: () => FocusContext) {}

  /** The seat whose city is large. */
  get shown(): number {
    const { table, home } = this.around();
    return this.visited !== null && this.visited < table.cities.length ? this.visited : home;
  }

  get atHome(): boolean {
    return this.shown === this.around().home;
  }

  /** The highlighted line: being counted, pointed at, or pinned. */
  get line(): string | null {
    return this.around().counted ?? this.pointed ?? this.held;
  }

  /** The cells of that line. */
  get lit(): readonly Cell[] {
    return this.line === null ? [] : (this.around().table.cities[this.shown]?.counted[this.line] ?? []);
  }

  visit(seat: number): void {
    this.visited = seat === this.around().home ? null : seat;
    this.pointed = this.held = null;
  }

  /** Returns to the own city and clears the highlighted line. */
  back(): void {
    this.visit(this.around().home);
  }

  /** Returns to the own city and keeps the highlighted line. */
  comeHome(): void {
    this.visited = null;
  }

  /** Highlights the cells of a line while it is pointed at; with `stay` it pins or unpins the line. */
  light(line: string | null, stay: boolean): void {
    if (stay) this.held = this.held === line ? null : line;
    this.pointed = stay ? null : line;
  }

  /** Unpins the line. */
  letGo(): void {
    this.held = null;
  }
}
