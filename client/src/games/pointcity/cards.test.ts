import { describe, expect, it } from 'vitest';
import cards from '../../../../src/polyopolis/games/pointcity/content/v1/cards.toml?raw';
import tokensFile from '../../../../src/polyopolis/games/pointcity/content/v1/tokens.toml?raw';
import english from '../../i18n/en/pointcity.json';
import type { CellView, DeckView } from '../../wire/pointcity';
import { beside, kindOf, nextOf, rowsOf, titleOf } from './cards';
import { cardsIn, counted, heldOf, RESOURCES, signsOf } from './signs';
import { tokenPicture } from './tokens';

describe('the names of buildings', () => {
  const families = [...cards.matchAll(/^(\w+)\s*= \{ tier = (\d), .*kind = "(\w+)", .*style = (\d)/gm)].map((found) =>
    found.slice(1),
  );

  it('follow the families of the game', () => {
    expect(families).toHaveLength(29);
    for (const [family, tier, kind, style] of families) {
      expect(titleOf(`${family}-energy`)).toBe(`${tier}-${kind}-energy-${style}`);
      expect(kindOf(`${family}-energy`)).toBe(kind);
    }
  });

  it('are all there', () => {
    for (const [family] of families)
      for (const resource of RESOURCES)
        expect(Object.keys(english)).toContain(`pointcity.title.${titleOf(`${family}-${resource}`)}`);
  });

  it('are for buildings only', () => {
    expect(titleOf('energy-2')).toBeUndefined();
    expect(kindOf('energy')).toBeUndefined();
  });
});

describe('tokens', () => {
  const tokens = [...tokensFile.matchAll(/^([\w-]+) = \{ counts = "(\w+)".*points = (\d+)/gm)];

  it.each(tokens.map((found) => [found[1] ?? '', Number(found[3])] as const))(
    '%s shows its %d points',
    (token, points) => expect(tokenPicture(token).points).toBe(points),
  );

  it('show what they count', () => {
    expect(tokens).toHaveLength(22);
    expect(tokenPicture('ecology-energy').signs).toEqual(['ecology', 'energy']);
    expect(tokenPicture('three-plus')).toMatchObject({ form: 'same', copies: 3 });
    expect(tokenPicture('flat-7').form).toBe('flat');
  });
});

describe('signs', () => {
  it('are read from a face', () => {
    expect(signsOf('energy-2')).toEqual({ sign: 'energy', symbols: 2 });
    expect(signsOf('ingenuity')).toEqual({ sign: 'ingenuity', symbols: 1 });
  });
  it('are counted in a stock', () => {
    expect(heldOf({ energy: 1, 'energy-2': 2 }, 'energy')).toEqual({ singles: 1, doubles: 2, symbols: 5 });
    expect(cardsIn({ energy: 1, 'energy-2': 2 })).toBe(3);
  });
  it('are grouped', () =>
    expect(counted(['ingenuity', 'energy', 'energy'])).toEqual([
      ['energy', 2],
      ['ingenuity', 1],
    ]));
});

describe('the market', () => {
  const cell = (name: string, built = false): CellView =>
    ({ cell: name, tier: 1, face: 'energy', building: built ? {} : null, kinds: [] }) as unknown as CellView;
  const deck = (cards: number): DeckView => ({ cards, top: 'ecology' }) as unknown as DeckView;

  it('has rows', () => {
    expect(rowsOf(['a1', 'b1', 'a2', 'b2'].map((name) => cell(name))).map((row) => row.map((one) => one.cell))).toEqual(
      [
        ['a1', 'b1'],
        ['a2', 'b2'],
      ],
    );
  });

  it('knows neighbours', () => {
    expect(beside('b2', 'b3')).toBe(true);
    expect(beside('b2', 'c3')).toBe(false);
    expect(beside('a1', 'a4')).toBe(false);
  });

  it('turns to the other face, the top card first', () => {
    expect(nextOf([cell('a1', true), cell('b1')], deck(20))).toEqual([
      { shows: 'resource', face: 'ecology' },
      { shows: 'building', face: null },
    ]);
    expect(nextOf([cell('a1')], deck(0))).toEqual([{ shows: 'nothing', face: null }]);
  });
});
