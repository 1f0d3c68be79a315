import type { Frame, Frames, Replay } from '../../wire/server';

type Ask = (first: number) => Promise<Frames>;

/** The frames of a replay: they come in pieces, when somebody looks at them or is about to. */
export class ReplayFrames {
  #frames = $state.raw<readonly (Frame | undefined)[]>([]);
  #problem = $state.raw<unknown>(null);
  #coming = new Map<number, Promise<void>>();
  /** How many frames a piece has. */
  readonly #size: number;

  constructor(
    readonly replay: Replay,
    private readonly ask: Ask,
  ) {
    this.#size = Math.max(1, replay.frames.length);
    this.#frames = replay.stops.map((_, at) => replay.frames[at]);
  }

  get length(): number {
    return this.#frames.length;
  }

  /** The error of the last request; null if there was none. */
  get problem(): unknown {
    return this.#problem;
  }

  /** The frame of a stop; undefined while it is not here. */
  frame(at: number): Frame | undefined {
    return this.#frames[at];
  }

  /** Sees to it that a stop comes: with one request, wherever it is, and none if it is here or on its way. */
  seek(at: number): Promise<void> {
    if (at < 0 || at >= this.length || this.#frames[at]) return Promise.resolve();
    const first = at - (at % this.#size);
    const before = this.#coming.get(first);
    if (before) return before;
    const coming = this.#load(first).finally(() => this.#coming.delete(first));
    this.#coming.set(first, coming);
    return coming;
  }

  /** While the film runs the piece after this one comes before it is needed. */
  seekAhead(at: number): Promise<void> {
    return this.seek(at - (at % this.#size) + this.#size);
  }

  async #load(first: number): Promise<void> {
    try {
      const piece = await this.ask(first);
      this.#problem = null;
      this.#frames = this.#frames.map((frame, at) => frame ?? piece.frames[at - piece.first]);
    } catch (error) {
      this.#problem = error;
    }
  }
}
