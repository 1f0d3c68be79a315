/** A short line about an action of a seat. */
export interface Activity {
  readonly seat: number;
  readonly text: string;
}

/** A line stays at least this long before the next one; the last one stays longer. */
export const SHOWN_MILLISECONDS = { atLeast: 1300, last: 4500 } as const;

/** Shows the actions of others one after the other, each long enough to be read. */
export class ActivityFeed {
  #now = $state.raw<Activity | null>(null);
  #coming: Activity[] = [];
  #since = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  get now(): Activity | null {
    return this.#now;
  }

  /** Queues lines. An unread line is replaced by a newer one of the same seat. */
  add(...lines: readonly Activity[]): void {
    for (const each of lines) {
      this.#coming = this.#coming.filter(({ seat }) => seat !== each.seat);
      this.#coming.push(each);
    }
    if (this.#coming.length) this.#next();
  }

  /** Removes all lines. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#coming = [];
    this.#now = null;
  }

  #next(): void {
    clearTimeout(this.#timer);
    const [first] = this.#coming;
    const left = first?.seat === this.#now?.seat ? 0 : this.#since + SHOWN_MILLISECONDS.atLeast - Date.now();
    if (this.#now && left > 0) this.#wait(left);
    else if (first) {
      this.#coming = this.#coming.slice(1);
      this.#now = first;
      this.#since = Date.now();
      this.#wait(this.#coming.length ? SHOWN_MILLISECONDS.atLeast : SHOWN_MILLISECONDS.last);
    } else this.#now = null;
  }

  #wait(time: number): void {
    this.#timer = setTimeout(() => this.#next(), time);
  }
}
