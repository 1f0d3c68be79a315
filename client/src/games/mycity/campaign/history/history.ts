import type { Cell } from '../../../../board/geometry/cells';
import type { CityView, Event, LegacyView, TableView, View } from '../../../../wire/mycity';
import type { PlayedEpisode } from '../../../../wire/server';
import { episodeOf } from '../episode';

export type Rank = CityView['rank'];

/** A reward that a city received in an episode. */
export interface EpisodeGift {
  /** `circle`, `nugget`, a sticker, `gear`, `church`, `park` or `ticks`. */
  readonly what: string;
  readonly count: number;
  /** The cells where it lies, if it lies on the board. */
  readonly cells: readonly Cell[];
}

/** The origin of a sticker on a board; `all`: all players received it. */
export interface Origin {
  readonly cell: Cell;
  readonly sticker: string;
  readonly episode: number;
  readonly by: Rank | 'park' | 'all';
}

export function tableOf(played: PlayedEpisode): TableView {
  return (played.view as View).table;
}

export function legacyOf(played: PlayedEpisode, seat: number): LegacyView | null {
  return tableOf(played).cities[seat]?.legacy ?? null;
}

export function rankOf(played: PlayedEpisode, seat: number): Rank {
  const { cities } = tableOf(played);
  const rank = cities[seat]?.rank ?? 'others';
  return rank === 'others' && cities.length === 2 ? 'second' : rank;
}

/** Returns the rewards of a city in an episode, in their order. */
export function giftsOfEpisode(played: PlayedEpisode, seat: number): readonly EpisodeGift[] {
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

/** Returns the origin of each sticker on a board after these episodes. */
export function stickerOrigins(episodes: readonly PlayedEpisode[], seat: number): readonly Origin[] {
  const known = new Map<Cell, Origin>();
  for (const played of episodes) {
    const placed = new Map(
      giftsOfEpisode(played, seat).flatMap(({ what, cells }) => cells.map((cell) => [cell, what] as const)),
    );
    const episode = episodeOf(played.setup) ?? 0;
    for (const [cell, sticker] of Object.entries(legacyOf(played, seat)?.stickers ?? {})) {
      const what = placed.get(cell);
      if (what === undefined && known.get(cell)?.sticker === sticker) continue;
      const by = what === undefined ? 'all' : what === 'park' ? 'park' : rankOf(played, seat);
      known.set(cell, { cell, sticker, episode, by });
    }
  }
  return [...known.values()];
}

/** Returns all seats that share the lead. */
export function leaders(ranks: readonly number[]): readonly number[] {
  return ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
}
