import type { Cell } from '../../board/cells';
import type { PlacingTable } from './table';

interface FocusContext {
  readonly table: PlacingTable;
  /** The seat whose city is large unless somebody looks at another one. */
  readonly home: number;
  /** The line that is counted up now. */
  readonly counted?: string | null;
}

/** What somebody looks at: whose city is large, and which line of its score sheet is lit. */
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

  /** The line of the sheet whose cells are lit: counted up now, pointed at, or held. */
  get line(): string | null {
    return this.around().counted ?? this.pointed ?? this.held;
  }

  /** Those cells. */
  get lit(): readonly Cell[] {
    return this.line === null ? [] : (this.around().table.cities[this.shown]?.counted[this.line] ?? []);
  }

  visit(seat: number): void {
    this.visited = seat === this.around().home ? null : seat;
    this.pointed = this.held = null;
  }

  /** Back to the own city, with no line lit. */
  back(): void {
    this.visit(this.around().home);
  }

  /** Whatever is lit stays lit. */
  comeHome(): void {
    this.visited = null;
  }

  /** Light the cells of a line while somebody points at it, or until somebody points again. */
  light(line: string | null, stay: boolean): void {
    if (stay) this.held = this.held === line ? null : line;
    this.pointed = stay ? null : line;
  }

  /** No line is held any more. */
  letGo(): void {
    this.held = null;
  }
}
