import type { Heard, Scene } from '../../wire/server';

type Ask = (since: number) => Promise<Heard>;

/** What happened in a match: asked for once when somebody opens it, and then it goes on with the news. */
export class EventLog {
  #rounds = $state.raw<readonly (readonly unknown[])[]>([]);
  #problem = $state.raw<unknown>(null);
  /** The rounds are those of so many moves. */
  #moves = 0;
  /** News that came while an answer is on its way. */
  #waiting: Scene[] | null = null;
  #asked = 0;

  constructor(private readonly ask: Ask) {
    void this.#load(0);
  }

  /** A group of events for each round and the luck after it. */
  get rounds(): readonly (readonly unknown[])[] {
    return this.#rounds;
  }

  /** The error of the last request; null if there was none. */
  get problem(): unknown {
    return this.#problem;
  }

  /** The match went on, or back. */
  update(scene: Scene): void {
    if (scene.back) this.reload();
    else if (this.#waiting) this.#waiting.push(scene);
    else if (this.#problem) void this.#load(this.#moves);
    else this.#add(scene.moves, [scene.events]);
  }

  /** What was heard may not be so any more. What is here stays until the answer comes. */
  reload(): void {
    this.#moves = 0;
    void this.#load(0);
  }

  async #load(since: number): Promise<void> {
    const asked = ++this.#asked;
    this.#waiting = [];
    try {
      const { moves, rounds } = await this.ask(since);
      if (asked !== this.#asked) return;
      if (since === 0) [this.#rounds, this.#moves] = [[], 0];
      this.#problem = null;
      this.#add(moves, rounds);
      for (const scene of this.#waiting) this.#add(scene.moves, [scene.events]);
    } catch (error) {
      if (asked !== this.#asked) return;
      this.#problem = error;
    }
    this.#waiting = null;
  }

  #add(moves: number, rounds: readonly (readonly unknown[])[]): void {
    if (moves <= this.#moves) return;
    this.#moves = moves;
    this.#rounds = [...this.#rounds, ...rounds];
  }
}
