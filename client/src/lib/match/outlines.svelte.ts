import { api } from '../../net/api/api';

/** What a game says of itself before anybody plays it. */
interface OutlineBase {
  /** The version of the content that it is about. */
  readonly content: number;
}

/** What is known of a game before anybody plays it, fetched once for each version of its content. */
export class OutlineCache<Outline extends OutlineBase> {
  #now = $state.raw<Outline | null>(null);
  #asked = new Map<number | 'newest', Promise<Outline>>();

  constructor(private readonly game: string) {}

  /** That of the match on the screen; null before it has come. */
  get current(): Outline | null {
    return this.#now;
  }

  /** Of the newest content. */
  async newest(): Promise<Outline> {
    const outline = await this.#ask('newest');
    this.#now ??= outline;
    return outline;
  }

  /** Of the content that a match is played with; from now on it is this one. */
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
    asked.catch(() => this.#asked.delete(content)); // whoever asks again may have more luck
    return asked;
  }
}
