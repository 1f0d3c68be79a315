import type { TableInfo } from '../../../wire/server';

/** The seats of this guest, and changes to them by others. */
export class OwnSeats {
  /** A former own seat that is now played elsewhere. */
  gone = $state<number | null>(null);
  /** Another guest has freed the last own seat. */
  freed = $state(false);
  /** The host does not allow this guest to join. */
  turnedAway = $state(false);
  #held: readonly number[] = [];
  #left: number | null = null;

  /** Announces that the player leaves a seat; null if not. */
  leave(seat: number | null): void {
    this.#left = seat;
  }

  /** Detects seats that moved to another device with their code, and seats that the host freed. */
  follow({ yours, seats }: TableInfo): void {
    const taken = (seat: number): boolean => !yours.includes(seat) && seats[seat]?.kind === 'person';
    const nowOpen = this.#held.filter((seat) => !yours.includes(seat) && seats[seat]?.kind === 'open');
    this.freed = yours.length === 0 && (this.freed || nowOpen.some((seat) => seat !== this.#left));
    this.gone = this.#held.find(taken) ?? (this.gone !== null && taken(this.gone) ? this.gone : null);
    this.#held = yours;
  }
}
