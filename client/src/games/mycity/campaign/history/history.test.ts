import { describe, expect, it } from 'vitest';
import type { PlayedEpisode } from '../../../../wire/server';
import { giftsOfEpisode, leaders, stickerOrigins, rankOf } from './history';

/** Returns an episode in which seat 0 was first, with these events and these stickers of seat 1 after it. */
function played(episode: number, events: readonly object[], stickers: Record<string, string>): PlayedEpisode {
  const ranks = [1, 2, 3];
  const result = { scores: ranks, ranks, sheets: [] };
  const cities = (['first', 'second', 'others'] as const).map((rank, seat) => ({
    rank,
    legacy: { stickers: seat === 1 ? stickers : {} },
  }));
  return {
    number: episode - 1,
    setup: { episode },
    practice: false,
    players: ['Ada', 'Ben', 'Cleo'],
    result,
    standings: result,
    events,
    view: { table: { cities } },
  };
}

const stuck = (seat: number, sticker: string, ...cells: string[]) => ({ type: 'stuck', seat, sticker, cells });

describe('giftsOfEpisode', () => {
  const episode = played(
    16,
    [
      { type: 'received', seat: 1, reward: 'circle', number: 2 },
      { type: 'received', seat: 0, reward: 'nugget', number: 1 },
      { type: 'ticked', seat: 1, colour: 'blue', boxes: 3, box: 4 },
      { type: 'geared', seat: 1, card: 'blue-i4' },
      { type: 'took-church', seat: 1, church: 'p5' },
      { type: 'planted', seat: 1, cells: ['b2', 'b3'] },
      stuck(1, 'tree', 'g1'),
      { type: 'race-won', seat: 1, race: 'gold', points: 3 },
      { type: 'ended' },
    ],
    {},
  );

  it('returns the gifts of one city in order', () =>
    expect(giftsOfEpisode(episode, 1)).toEqual([
      { what: 'circle', count: 2, cells: [] },
      { what: 'ticks', count: 3, cells: [] },
      { what: 'gear', count: 1, cells: [] },
      { what: 'church', count: 1, cells: [] },
      { what: 'park', count: 2, cells: ['b2', 'b3'] },
      { what: 'tree', count: 1, cells: ['g1'] },
    ]));
});

describe('rankOf', () => {
  it('returns the rank from the server', () =>
    expect([0, 1, 2, 3].map((seat) => rankOf(played(1, [], {}), seat))).toEqual([
      'first',
      'second',
      'others',
      'others',
    ]));
  it('returns the second rank in a match of two', () => {
    const { view, ...rest } = played(1, [], {});
    const { table } = view as { table: { cities: object[] } };
    const two = { ...rest, view: { table: { ...table, cities: [{ rank: 'first' }, { rank: 'others' }] } } };
    expect([0, 1].map((seat) => rankOf(two, seat))).toEqual(['first', 'second']);
  });
  it('leaders returns all seats that share the lead', () => expect(leaders([1, 3, 1])).toEqual([0, 2]));
});

describe('stickerOrigins', () => {
  const first = played(12, [stuck(1, 'tree', 'g1')], { g1: 'tree' });
  const gift = played(13, [stuck(0, 'rock', 'i1')], { g1: 'tree', i1: 'rock' });
  const park = played(22, [{ type: 'planted', seat: 1, cells: ['i1'] }], { g1: 'tree', i1: 'tree' });

  it('distinguishes gifts of a rank, of a park, and of all players', () => {
    expect(stickerOrigins([first, gift], 1)).toEqual([
      { cell: 'g1', sticker: 'tree', episode: 12, by: 'second' },
      { cell: 'i1', sticker: 'rock', episode: 13, by: 'all' },
    ]);
    expect(stickerOrigins([first, gift, park], 1)[1]).toEqual({ cell: 'i1', sticker: 'tree', episode: 22, by: 'park' });
  });

  it('omits stickers of other cities', () => expect(stickerOrigins([first, gift, park], 0)).toEqual([]));
});
