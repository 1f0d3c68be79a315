import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GameModule } from '../../games/types';
import { speak } from '../../i18n/index.svelte';
import { SetupForm } from './setupForm.svelte';

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

let form: SetupForm;
const kinds = (): string => form.seats.map(({ kind }) => kind).join(' ');

beforeAll(() => speak('en'));
beforeEach(() => (form = new SetupForm(game, info, 'Ana')));

it('starts with the player and the default bot', () => {
  expect(kinds()).toBe('me bot');
  expect(form.request()).toMatchObject({
    game: 'x',
    seats: [
      { type: 'me', name: 'Ana' },
      { type: 'bot', bot: 'b' },
    ],
  });
});

describe('modes', () => {
  it('are offered in their groups', () => {
    expect(form.groups).toEqual(['several', 'alone', 'campaign']);
    form.chooseGroup('campaign');
    expect(form.together).toEqual([
      { value: 3, label: '4', sealed: false },
      { value: 4, label: '9', sealed: true },
    ]);
  });

  it('set the number of seats that they require', () => {
    form.chooseGroup('alone');
    expect(kinds()).toBe('me');
    form.choose(0);
    expect(kinds()).toBe('me bot');
  });

  it('have their episodes', () => {
    expect(form.episodes).toEqual([]);
    form.choose(3);
    expect(form.episodes).toEqual([4, 5, 6]);
    form.choose(4);
    expect(form.episodes).toEqual([9]);
  });
});

describe('seats', () => {
  it('stay in the range of the modes of a group', () => {
    expect([form.canAdd, form.canRemove]).toEqual([true, false]);
    form.chooseGroup('alone');
    expect([form.canAdd, form.canRemove]).toEqual([false, false]);
    form.chooseGroup('campaign');
    expect([form.canAdd, form.canRemove]).toEqual([true, false]);
    form.add();
    expect([form.canAdd, form.canRemove]).toEqual([true, true]);
  });

  it('stay in the range of the game', () => {
    form.add();
    form.add();
    expect(kinds()).toBe('me bot bot bot');
    expect(form.canAdd).toBe(false);
    expect(new Set(form.seats.map(({ key }) => key)).size).toBe(4);
  });

  it('have a name field if a person plays there', () => {
    form.change(1, 'me');
    expect(form.request().seats[1]).toEqual({ type: 'me', name: '-' });
    form.change(0, 'friend');
    expect(form.friends).toBe(true);
    form.change(0, 'me');
    expect(form.seats[0]?.name).toBe('Ana');
  });
});
