import { t, tMaybe } from '../../../i18n/index.svelte';
import type { Action, TableView } from '../../../wire/mycity';
import type { Task, TaskItem } from '../../placing/table';
import { cardName, shapeWord, stickerName } from '../words';

/** Returns the rewards that a seat has still to place, the next one first; empty before the end of an episode. */
export function rewardsOf(table: TableView, seat: number | null): readonly string[] {
  return (seat !== null && table.asks === 'reward' && table.cities[seat]?.legacy?.rewards) || [];
}

/** Returns the key of the current question; different questions have different keys. */
export function roundOf(table: TableView, seat: number | null): string {
  return [table.asks, table.revealed.length, table.card, ...rewardsOf(table, seat)].join('/');
}

/** Returns the thing that a seat has to place on its board; null for a gear, which is not placed on a board. */
export function taskOf(table: TableView, seat: number | null): Task | null {
  const round = roundOf(table, seat);
  const [reward, ...after] = rewardsOf(table, seat);
  if (reward === 'gear') return null;
  if (reward) return { round, name: stickerName(reward), thing: sticker(reward, after.length) };
  if (table.asks === 'kiosk') return { round, name: cardName(table.laid?.card ?? '', t), thing: kiosk() };
  return table.card ? { round, name: cardName(table.card, t) } : null;
}

export function moreToPlace(count: number): string | undefined {
  return count ? t('mycity.campaign.play.put.more', { count }) : undefined;
}

function sticker(kind: string, after: number): TaskItem {
  return {
    hint: tMaybe(`mycity.ask.${kind}`, ''),
    ready: t('mycity.campaign.play.put.ready'),
    confirm: t('mycity.campaign.play.put.confirm'),
    more: moreToPlace(after),
    at: (cell) => ({ type: 'sticker', kind, cell }) as const,
  };
}

function kiosk(): TaskItem {
  return {
    hint: tMaybe('mycity.ask.kiosk', ''),
    ready: tMaybe('mycity.ask.kiosk.ready', ''),
    confirm: tMaybe('mycity.ask.kiosk.confirm', ''),
    at: (cell) => ({ type: 'kiosk', cell }),
    decline: { words: tMaybe('mycity.ask.kiosk.decline', ''), action: { type: 'no-kiosk' } },
  };
}

/** Returns the text for a waiting seat where the usual one does not fit. */
export function waitingText(table: TableView, seat: number | null, staged: Action | null): string | undefined {
  if (staged) return stagedText(staged);
  if (seat === null) return undefined;
  if (table.asks === 'reward') return t('mycity.campaign.play.put.done');
  if (table.asks === 'kiosk') return tMaybe('mycity.ask.kiosk.others', '');
  const { card } = table;
  const city = table.cities[seat];
  if (!card || !city || city.stopped || !city.gone.includes(card)) return undefined;
  return tMaybe('mycity.piece.left', '', { card: cardName(card, t) });
}

function stagedText(staged: Action): string | undefined {
  switch (staged.type) {
    case 'sticker':
      return t('mycity.campaign.play.put.staged');
    case 'gear':
      return tMaybe('mycity.ask.gear.staged', '', { shape: shapeWord(staged.shape) });
    case 'kiosk':
    case 'no-kiosk':
      return tMaybe(`mycity.ask.${staged.type}.staged`, '');
    default:
      return undefined;
  }
}
