import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GameModule } from '../../games/types';
import { speak } from '../../i18n/index.svelte';
import { SetupSheet } from './setupForm.svelte';

const game = {
  modes: [
    { setup: {}, seats: [2, 3, 4], group: 'several' },
    { setup: { automa: 'easy' }, seats: [1], group: 'alone' },
    { setup: { automa: 'hard' }, seats: [1], group: 'alone' },
    { setup: { episode: 4 }, plan: [4, 5, 6], group: 'campaign' },
    { setup: { episode: 9 }, group: 'campaign' },
  ],
  modeName: ({ setup }) => Object.values(setup).join() || 'usual',
  sealed: ({ setup }) => setup['episode'] === 9,
} as Partial<GameModule> as GameModule;
const info = { game: 'x', seats: [1, 2, 3, 4], bots: ['a', 'b'], usual: 'a', first: 'b', plans: {} };

let sheet: SetupSheet;
const kinds = (): string => sheet.seats.map(({ kind }) => kind).join(' ');

beforeAll(() => speak('en'));
beforeEach(() => (sheet = new SetupSheet(game, info, 'Ana')));

it('begins with me and the bot that is offered first', () => {
  expect(kinds()).toBe('me bot');
  expect(sheet.wish()).toMatchObject({
    game: 'x',
    seats: [
      { type: 'me', name: 'Ana' },
      { type: 'bot', bot: 'b' },
    ],
  });
});

describe('modes', () => {
  it('are offered in their groups', () => {
    expect(sheet.groups).toEqual(['several', 'alone', 'campaign']);
    sheet.chooseGroup('campaign');
    expect(sheet.together).toEqual([
      { value: 3, label: '4', sealed: false },
      { value: 4, label: '9', sealed: true },
    ]);
  });

  it('bring the seats that they are for', () => {
    sheet.chooseGroup('alone');
    expect(kinds()).toBe('me');
    sheet.choose(0);
    expect(kinds()).toBe('me bot');
  });

  it('know their episodes', () => {
    expect(sheet.episodes).toEqual([]);
    sheet.choose(3);
    expect(sheet.episodes).toEqual([4, 5, 6]);
    sheet.choose(4);
    expect(sheet.episodes).toEqual([9]);
  });
});

describe('seats', () => {
  it('are no more and no fewer than the modes of a group are for', () => {
    expect([sheet.canAdd, sheet.canRemove]).toEqual([true, false]);
    sheet.chooseGroup('alone');
    expect([sheet.canAdd, sheet.canRemove]).toEqual([false, false]);
    sheet.chooseGroup('campaign');
    expect([sheet.canAdd, sheet.canRemove]).toEqual([true, false]);
    sheet.add();
    expect([sheet.canAdd, sheet.canRemove]).toEqual([true, true]);
  });

  it('are as many as the game allows', () => {
    sheet.add();
    sheet.add();
    expect(kinds()).toBe('me bot bot bot');
    expect(sheet.canAdd).toBe(false);
    expect(new Set(sheet.seats.map(({ key }) => key)).size).toBe(4);
  });

  it('get a name when somebody sits there', () => {
    sheet.change(1, 'me');
    expect(sheet.wish().seats[1]).toEqual({ type: 'me', name: '-' });
    sheet.change(0, 'friend');
    expect(sheet.friends).toBe(true);
    sheet.change(0, 'me');
    expect(sheet.seats[0]?.name).toBe('Ana');
  });
});
