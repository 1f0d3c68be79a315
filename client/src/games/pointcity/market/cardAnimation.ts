import { fly, screenBoxOf, type ScreenBox } from '../../../lib/page/flyAnimation';
import type { Event } from '../../../wire/pointcity';

/** A moving card: a copy of its element, and its place on the market. */
interface MovingCard {
  readonly card: HTMLElement;
  readonly from: ScreenBox;
  readonly seat: number;
}

/** Captures the cards that these events take. Must be called before the market is redrawn. */
export function captureTakenCards(screen: HTMLElement, events: readonly Event[]): readonly MovingCard[] {
  return events.flatMap((event) => {
    if (event.type !== 'took') return [];
    return event.cells.flatMap((cell) => {
      const lying = screen.querySelector<HTMLElement>(`[data-cell="${cell}"]`);
      const from = screenBoxOf(lying);
      const shown = lying?.firstElementChild;
      if (!from || !(shown instanceof HTMLElement)) return [];
      return [{ card: shown.cloneNode(true) as HTMLElement, from, seat: event.seat }];
    });
  });
}

/** Flies the cards to the player who took them: into the own purse, or to the name of another player. */
export async function animateTakenCards(
  screen: HTMLElement,
  taken: readonly MovingCard[],
  me: number | null,
): Promise<void> {
  await Promise.all(
    taken.map(async ({ card, from, seat }, order) => {
      const owner = screen.querySelector(seat === me ? '.mine' : `[data-thing="player:${seat}"]`);
      const to = screenBoxOf(owner) ?? screenBoxOf(screen.querySelector('.hand'));
      card.classList.add('paper');
      if (to) await fly(screen, card, from, { ...to, height: Math.min(to.height, from.height / 3) }, order);
    }),
  );
}
