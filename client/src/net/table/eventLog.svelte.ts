import type { PastEvents, Scene } from '../../wire/server';

type Ask = (since: number) => Promise<PastEvents>;

/** The events of a match. They are requested once when the log is opened, and extended by each scene. */
export class EventLog {
  #rounds = $state.raw<readonly (readonly unknown[])[]>([]);
  #problem = $state.raw<unknown>(null);
  /** The number of moves that the rounds cover. */
  #moves = 0;
  /** Scenes that arrived during a request. */
  #waiting: Scene[] | null = null;
  #asked = 0;

  constructor(private readonly ask: Ask) {
    void this.#load(0);
  }

  /** The events of each round, together with the chance moves after it. */
  get rounds(): readonly (readonly unknown[])[] {
    return this.#rounds;
  }

  /** The error of the last request, or null. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Adds the events of a scene, or reloads if moves were taken back. */
  update(scene: Scene): void {
    if (scene.back) this.reload();
    else if (this.#waiting) this.#waiting.push(scene);
    else if (this.#problem) void this.#load(this.#moves);
    else this.#add(scene.moves, [scene.events]);
  }

  /** Requests all events anew. The known ones stay until the response arrives. */
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
