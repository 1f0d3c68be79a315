import type { ReplayFrame, ReplayFrameList, Replay } from '../../wire/server';

type Ask = (first: number) => Promise<ReplayFrameList>;

/** The frames of a replay, loaded in pieces on demand. */
export class ReplayFrames {
  #frames = $state.raw<readonly (ReplayFrame | undefined)[]>([]);
  #problem = $state.raw<unknown>(null);
  #coming = new Map<number, Promise<void>>();
  /** The number of frames in a piece. */
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

  /** The error of the last request, or null. */
  get problem(): unknown {
    return this.#problem;
  }

  /** The frame at a stop; undefined until it is loaded. */
  frame(at: number): ReplayFrame | undefined {
    return this.#frames[at];
  }

  /** Loads the piece with a stop, unless it is loaded or requested already. */
  seek(at: number): Promise<void> {
    if (at < 0 || at >= this.length || this.#frames[at]) return Promise.resolve();
    const first = at - (at % this.#size);
    const before = this.#coming.get(first);
    if (before) return before;
    const coming = this.#load(first).finally(() => this.#coming.delete(first));
    this.#coming.set(first, coming);
    return coming;
  }

  /** Loads the piece after the one with this stop, for a running playback. */
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
