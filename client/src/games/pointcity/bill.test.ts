import { describe, expect, it } from 'vitest';
import type { CardView } from '../../wire/pointcity';
import { added, forcedCards, missing, priceOf, without } from './bill';

const building = (cost: Record<string, number>): CardView => ({
  card: 'a1-energy',
  title: '1-resource-energy-1',
  tier: 1,
  face: 'energy',
  kind: 'resource',
  resource: 'energy',
  cost,
  points: 0,
});

describe('the price of buildings', () => {
  it('is paid together, permanents first, jokers last', () => {
    const both = [building({ economy: 2, ecology: 1 }), building({ economy: 1 })];
    expect(priceOf(both, { economy: 1 }, { 'economy-2': 0, economy: 1 })).toEqual([
      { resource: 'economy', cost: 3, free: 1, owed: 2, lacking: 1 },
      { resource: 'ecology', cost: 1, free: 0, owed: 1, lacking: 1 },
    ]);
  });

  it('is nothing for resources', () => expect(priceOf([], {}, {})).toEqual([]));

  it('says what is missing even with jokers', () => {
    const price = priceOf([building({ energy: 3 })], {}, { energy: 1 });
    expect(missing(price, { energy: 1 })).toBe(2);
    expect(missing(price, { energy: 1, ingenuity: 1 })).toBe(1);
    expect(missing(price, { energy: 1, ingenuity: 5 })).toBe(0);
  });
});

describe('the cards it takes', () => {
  const forced = (cost: Record<string, number>, stock: Record<string, number>): readonly string[] | null =>
    forcedCards(priceOf([building(cost)], {}, stock), stock);

  it('are known where there is one way', () => {
    expect(forced({ energy: 2 }, { energy: 2 })).toEqual(['energy', 'energy']);
    expect(forced({ energy: 1 }, { 'energy-2': 1 })).toEqual(['energy-2']);
    expect(forced({ energy: 2, ecology: 1 }, { 'energy-2': 1, ingenuity: 1 })).toEqual(['energy-2', 'ingenuity']);
    expect(forced({}, { energy: 2 })).toEqual([]);
  });

  it('are to be chosen where there are more', () => {
    expect(forced({ energy: 1 }, { energy: 1, ingenuity: 1 })).toBeNull();
    expect(forced({ energy: 3 }, { energy: 1, 'energy-2': 2 })).toBeNull();
  });

  it('do not hold one too many', () => {
    expect(forced({ energy: 2 }, { energy: 1, 'energy-2': 1 })).toEqual(['energy-2']);
  });

  it('are none where it cannot be paid', () => expect(forced({ energy: 2 }, { energy: 1 })).toBeNull());
});

describe('a stock', () => {
  it('grows and shrinks by cards', () => {
    expect(added({ energy: 1 }, ['energy', 'ecology-2'])).toEqual({ energy: 2, 'ecology-2': 1 });
    expect(without({ energy: 1, ecology: 2 }, ['energy', 'ecology'])).toEqual({ ecology: 1 });
  });
});
