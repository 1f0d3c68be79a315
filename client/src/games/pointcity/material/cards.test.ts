import { beforeAll, describe, expect, it } from 'vitest';
import type { CellView, DeckView } from '../../../wire/pointcity';
import { outlines } from '../outline';
import { TEST_OUTLINE } from '../testOutline';
import { kindOf, nextOf, rowsOf, titleOf } from './cards';
import { cardsIn, counted, facesInOrder, heldResources, signsOf } from './resources';
import { tokenPicture } from './tokens';

beforeAll(() => outlines.keep(TEST_OUTLINE));

describe('the outline', () => {
  it('contains the titles of buildings only', () => {
    expect([titleOf('a4-industry'), kindOf('a11-energy')]).toEqual(['1-resource-industry-1', 'civic']);
    expect([titleOf('energy-2'), kindOf('energy')]).toEqual([undefined, undefined]);
  });

  it('contains the conditions of tokens', () => {
    expect(tokenPicture('community-energy').signs).toEqual(['community', 'energy']);
    expect(tokenPicture('three-plus')).toMatchObject({ counts: 'same', copies: 3 });
    expect(tokenPicture('moon').points).toBe(0);
  });
});

describe('signs', () => {
  it('are read from a face', () => {
    expect(signsOf('energy-2')).toEqual({ sign: 'energy', symbols: 2 });
    expect(signsOf('ingenuity')).toEqual({ sign: 'ingenuity', symbols: 1 });
  });
  it('are counted in a stock', () => {
    expect(heldResources({ energy: 1, 'energy-2': 2 }, 'energy')).toEqual({ singles: 1, doubles: 2 });
    expect(cardsIn({ energy: 1, 'energy-2': 2 })).toBe(3);
  });
  it('have an order, singles before doubles', () =>
    expect(facesInOrder()).toEqual(['energy', 'energy-2', 'economy', 'ecology', 'ecology-2', 'ingenuity']));
  it('are grouped', () =>
    expect(counted(['ingenuity', 'energy', 'energy'])).toEqual([
      ['energy', 2],
      ['ingenuity', 1],
    ]));
});

describe('the market', () => {
  const cell = (name: string, next: CellView['next'] = 'building'): CellView =>
    ({ cell: name, tier: 1, face: 'energy', building: null, kinds: [], next }) satisfies CellView;
  const deck = (...coming: DeckView['coming']): DeckView => ({ coming }) as unknown as DeckView;

  it('has rows', () =>
    expect(
      rowsOf(['a1', 'b1', 'a2', 'b2'].map((name) => cell(name))).map((row) => row.map(({ cell }) => cell)),
    ).toEqual([
      ['a1', 'b1'],
      ['a2', 'b2'],
    ]));

  it('shows the next cards as far as they are known', () => {
    expect(nextOf([cell('a1', 'resource'), cell('b1')], deck('ecology', null))).toEqual([
      { shows: 'resource', face: 'ecology' },
      { shows: 'building', face: null },
    ]);
    expect(nextOf([cell('a1')], deck())).toEqual([{ shows: 'nothing', face: null }]);
  });
});
