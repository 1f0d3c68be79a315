import type { TableInfo } from '../../../wire/server';

/** The seats that are played here, and what others have made of them. */
export class OwnSeats {
  /** One that was played here and is now played somewhere else. */
  gone = $state<number | null>(null);
  /** Somebody else has freed the last of them. */
  freed = $state(false);
  /** Whoever made the table does not want this guest to sit down there. */
  turnedAway = $state(false);
  #held: readonly number[] = [];
  #left: number | null = null;

  /** The seat that is left by its owner's own wish; null: none is. */
  leave(seat: number | null): void {
    this.#left = seat;
  }

  /** With its code a seat goes to another device, or whoever made the table frees it: who had it here is told. */
  follow({ yours, seats }: TableInfo): void {
    const taken = (seat: number): boolean => !yours.includes(seat) && seats[seat]?.kind === 'person';
    const lost = this.#held.filter((seat) => !yours.includes(seat) && seats[seat]?.kind === 'open');
    this.freed = yours.length === 0 && (this.freed || lost.some((seat) => seat !== this.#left));
    this.gone = this.#held.find(taken) ?? (this.gone !== null && taken(this.gone) ? this.gone : null);
    this.#held = yours;
  }
}
