import { fly, screenBoxOf, type ScreenBox } from '../../lib/page/flyAnimation';
import type { Event } from '../../wire/pointcity';

/** A card on its way: as it looked on the market, and where it lay. */
interface MovingCard {
  readonly card: HTMLElement;
  readonly from: ScreenBox;
  readonly seat: number;
}

/** The cards that these events take, as they still lie there: before the market is drawn anew. */
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

/** They fly to whoever took them: into the own purse, or to the name of somebody else. */
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
