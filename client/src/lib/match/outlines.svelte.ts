import { api } from '../../net/api/api';

/** Static information about a game. */
interface OutlineBase {
  /** The version of the content. */
  readonly content: number;
}

/** Static information about a game, fetched once for each version of its content. */
export class OutlineCache<Outline extends OutlineBase> {
  #now = $state.raw<Outline | null>(null);
  #asked = new Map<number | 'newest', Promise<Outline>>();

  constructor(private readonly game: string) {}

  /** The outline of the match on the screen; null until it is loaded. */
  get current(): Outline | null {
    return this.#now;
  }

  /** Returns the outline of the newest content. */
  async newest(): Promise<Outline> {
    const outline = await this.#ask('newest');
    this.#now ??= outline;
    return outline;
  }

  /** Loads the outline for the content of a match and makes it the current one. */
  async follow(setup: unknown): Promise<Outline> {
    const { content } = setup as Partial<OutlineBase>;
    const outline = await this.#ask(content ?? 'newest');
    this.keep(outline);
    return outline;
  }

  keep(outline: Outline): void {
    this.#now = outline;
  }

  #ask(content: number | 'newest'): Promise<Outline> {
    const known = this.#asked.get(content);
    if (known) return known;
    const asked = api.outline<Outline>(this.game, content === 'newest' ? null : content);
    this.#asked.set(content, asked);
    asked.catch(() => this.#asked.delete(content)); // the next call tries again
    return asked;
  }
}
