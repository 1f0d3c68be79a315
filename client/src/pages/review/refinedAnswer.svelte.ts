import { ApiError } from '../../net/backend';
import type { ReviewState } from '../../wire/server';

type Ask = (known: number) => Promise<ReviewState>;
type Pause = (seconds: number) => Promise<void>;

const pause: Pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

/** The answer of a long computation, which becomes more precise with each request. */
export class RefinedAnswer<Answer> {
  answer = $state.raw<Answer | null>(null);
  done = $state(0);
  final = $state(false);
  problem = $state.raw<unknown>(null);
  #left = false;

  constructor(
    private readonly ask: Ask,
    private readonly rest: Pause = pause,
  ) {}

  /** Repeats the request until the answer is final. */
  async follow(): Promise<void> {
    this.problem = null;
    let known = 0;
    while (!this.#left && !this.final) {
      try {
        known = this.#hear(await this.ask(known));
      } catch (error) {
        if (error instanceof ApiError && error.status === 429 && error.wait) await this.rest(error.wait);
        else {
          this.problem = error;
          return;
        }
      }
    }
  }

  /** Stores a response and returns the number of its answer. */
  #hear({ done, answer, final, review }: ReviewState): number {
    if (this.#left) return answer;
    this.done = done;
    this.final = final;
    if (review) this.answer = review as Answer;
    return answer;
  }

  /** Ends the requests; the server stops the computation without them. */
  leave(): void {
    this.#left = true;
  }
}
