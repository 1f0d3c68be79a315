/** An unanswered question gets its fallback after this time. */

const TIMEOUT_MILLISECONDS = 8_000;
/** The server accepts at most 20 messages a second; a moving pointer asks more often. */
const GAP_MILLISECONDS = 70;

interface Waiting {
  answer(value: unknown): void;
  fallback: unknown;
  timer: ReturnType<typeof setTimeout>;
}

interface Queued {
  send(): void;
  drop(): void;
}

export class PendingQuestions {
  #next = 1;
  #waiting = new Map<number, Waiting>();
  #queued = new Map<string, Queued>();
  #pump: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;

  /**
   * Sends a question and resolves with its answer. Of the questions of one kind in the queue only the newest is
   * sent.
   */
  ask<Answer>(
    kind: string,
    fallback: Answer,
    send: (ask: number) => boolean,
    patience = TIMEOUT_MILLISECONDS,
  ): Promise<Answer> {
    this.#queued.get(kind)?.drop();
    return new Promise((resolve) => {
      this.#queued.set(kind, {
        send: () => {
          const ask = this.#next++;
          if (!send(ask)) {
            resolve(fallback);
            return;
          }
          const timer = setTimeout(() => this.answer(ask, fallback), patience);
          this.#waiting.set(ask, { answer: resolve, fallback, timer });
        },
        drop: () => resolve(fallback),
      });
      this.#schedule();
    });
  }

  answer(ask: number, value: unknown): void {
    const waiting = this.#waiting.get(ask);
    if (!waiting) return;
    this.#waiting.delete(ask);
    clearTimeout(waiting.timer);
    waiting.answer(value);
  }

  /** Resolves all open questions with their fallbacks. */
  cancelAll(): void {
    clearTimeout(this.#pump);
    this.#pump = undefined;
    for (const queued of this.#queued.values()) queued.drop();
    this.#queued.clear();
    for (const [ask, waiting] of [...this.#waiting]) this.answer(ask, waiting.fallback);
  }

  #schedule(): void {
    if (this.#pump !== undefined) return;
    const wait = Math.max(0, this.#last + GAP_MILLISECONDS - Date.now());
    if (wait === 0) this.#sendOne();
    else this.#pump = setTimeout(() => this.#sendOne(), wait);
  }

  #sendOne(): void {
    this.#pump = undefined;
    const first = this.#queued.entries().next();
    if (first.done) return;
    const [kind, queued] = first.value;
    this.#queued.delete(kind);
    this.#last = Date.now();
    queued.send();
    if (this.#queued.size) this.#schedule();
  }
}
