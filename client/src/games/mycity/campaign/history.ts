import type { Cell } from '../../../board/cells';
import type { Event, LegacyView, TableView, View } from '../../../wire/mycity';
import type { Played } from '../../../wire/server';
import { episodeOf } from './episode';

export type Rank = 'first' | 'second' | 'others';

/** Something that an episode gave to a city. */
export interface Given {
  /** `circle`, `nugget`, a sticker, `gear`, `church`, `park` or `ticks`. */
  readonly what: string;
  readonly count: number;
  /** Where it lies, if it lies anywhere. */
  readonly cells: readonly Cell[];
}

/** Where something on a board comes from; `all`: everybody got it. */
export interface Origin {
  readonly cell: Cell;
  readonly sticker: string;
  readonly episode: number;
  readonly by: Rank | 'park' | 'all';
}

export function tableOf(played: Played): TableView {
  return (played.view as View).table;
}

export function legacyOf(played: Played, seat: number): LegacyView | null {
  return tableOf(played).cities[seat]?.legacy ?? null;
}

/** Of two players the one who is not first is one of the others. */
export function rankOf(played: Played, seat: number): Rank {
  const { ranks } = played.result;
  if (ranks[seat] === 1) return 'first';
  return ranks[seat] === 2 && ranks.length > 2 ? 'second' : 'others';
}

/** What an episode gave to a city, in the order in which it was told. */
export function givenTo(played: Played, seat: number): readonly Given[] {
  return (played.events as readonly Event[]).flatMap((event) => {
    if (!('seat' in event) || event.seat !== seat) return [];
    switch (event.type) {
      case 'received':
        return [{ what: event.reward, count: event.number, cells: [] }];
      case 'stuck':
        return [{ what: event.sticker, count: 1, cells: event.cells }];
      case 'planted':
        return [{ what: 'park', count: event.cells.length, cells: event.cells }];
      case 'geared':
        return [{ what: 'gear', count: 1, cells: [] }];
      case 'took-church':
        return [{ what: 'church', count: 1, cells: [] }];
      case 'ticked':
        return [{ what: 'ticks', count: event.boxes, cells: [] }];
      default:
        return [];
    }
  });
}

/** Where each sticker on a board comes from, after these episodes. */
export function origins(episodes: readonly Played[], seat: number): readonly Origin[] {
  const found = new Map<Cell, Origin>();
  for (const played of episodes) {
    const placed = new Map(
      givenTo(played, seat).flatMap(({ what, cells }) => cells.map((cell) => [cell, what] as const)),
    );
    const episode = episodeOf(played.setup) ?? 0;
    for (const [cell, sticker] of Object.entries(legacyOf(played, seat)?.stickers ?? {})) {
      const what = placed.get(cell);
      if (what === undefined && found.get(cell)?.sticker === sticker) continue;
      const by = what === undefined ? 'all' : what === 'park' ? 'park' : rankOf(played, seat);
      found.set(cell, { cell, sticker, episode, by });
    }
  }
  return [...found.values()];
}

/** Who is ahead: all who share the lead. */
export function leaders(ranks: readonly number[]): readonly number[] {
  return ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
}
