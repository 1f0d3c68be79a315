import { beforeAll, describe, expect, it } from 'vitest';
import { speak } from '../i18n/index.svelte';
import { ApiError } from '../net/backend';
import type { TableInfo } from '../wire/server';
import { episodeStops } from './match/campaignProgress';
import { fitsSeats, createTableRequest } from './match/createTable';
import { podiumPlaces, alignedRows } from './match/podium';
import { matchesCommitment } from './match/seedCommitment';
import { hasReloadedFor } from './site/reloadOnce';
import { displayNames, initials, NAMELESS, numbered, personName } from './text/displayNames';
import { connectionProblem, refusalText, errorText } from './text/errorText';

beforeAll(() => speak('en'));

describe('the progress of a campaign', () => {
  const at = (number: number, over: boolean) =>
    episodeStops({ plan: [4, 5, 6], match: { number, over } as TableInfo['match'], matches: number + 1 }).map(
      ({ episode, state }) => `${episode} ${state}`,
    );
  it('begins with the first episode', () => expect(at(0, false)).toEqual(['4 now', '5 next', '6 next']));
  it('has no current episode between two episodes', () => expect(at(1, true)).toEqual(['4 done', '5 done', '6 next']));
  it('ends with the last episode', () => expect(at(2, true)).toEqual(['4 done', '5 done', '6 done']));
  it('has a current episode before its first match', () =>
    expect(episodeStops({ plan: [4, 5], match: null, matches: 0 }).map(({ state }) => state)).toEqual(['now', 'next']));
});

describe('names', () => {
  it('follow the language unless the player chose one', async () => {
    expect([NAMELESS, 'Mayor'].map(personName)).toEqual(['Mayor', 'Mayor']);
    await speak('de');
    expect([NAMELESS, 'Mayor'].map(personName)).toEqual(['Stadtoberhaupt', 'Mayor']);
    await speak('en');
  });
  it('are displayed for seats', () =>
    expect(
      displayNames([
        { name: 'Ana', kind: 'person', bot: null },
        { name: 'greedy', kind: 'bot', bot: 'greedy' },
        { name: 'greedy', kind: 'bot', bot: 'greedy' },
        { name: '', kind: 'open', bot: null },
        { name: '-', kind: 'person', bot: null },
        { name: '--', kind: 'open', bot: null },
      ]),
    ).toEqual(['Ana', 'Gus 1', 'Gus 2', 'Free seat', 'Mayor', 'Somebody']));
  it('are not numbered if they differ', () => expect(numbered(['a', 'b'])).toEqual(['a', 'b']));
  it.each([
    ['Ana', 'A'],
    ['Greedy bot', 'GB'],
    ['  ', ''],
    ['🏠 x', '🏠X'],
    ['élodie', 'É'],
  ])('%j has initials', (name, expected) => expect(initials(name)).toBe(expected));
});

it('sorts the podium by rank, ties by seat', () =>
  expect(podiumPlaces([5, 9, 5], [2, 1, 2]).map((place) => place.seat)).toEqual([1, 0, 2]));

it('merges score sheets into rows', () => {
  const line = (name: string, points: number) => ({ line: name, count: 1, points });
  const rows = alignedRows([[line('trees', 2)], [line('trees', 1), line('wells', 4)]]);
  const apart = alignedRows([
    [line('a', 1), line('b', 1), line('z', 0)],
    [line('a', 1), line('c', 1), line('z', 0)],
  ]);
  expect(apart.map((row) => row.line).at(-1)).toBe('z');
  expect(rows.map((row) => row.line)).toEqual(['trees', 'wells']);
  expect(rows[1]?.cells).toEqual([null, line('wells', 4)]);
});

describe('the set-up form', () => {
  const seats = [
    { key: 0, kind: 'me', name: ' Ana ', bot: '' },
    { key: 1, kind: 'friend', name: 'left over', bot: '' },
    { key: 2, kind: 'bot', name: '', bot: 'greedy' },
  ] as const;

  it('builds a request', () =>
    expect(createTableRequest('mycity', { setup: { mode: 'eternal' } }, { seats, seed: '  ', typed: false })).toEqual({
      game: 'mycity',
      setup: { mode: 'eternal' },
      seats: [{ type: 'me', name: 'Ana' }, { type: 'open' }, { type: 'bot', bot: 'greedy' }],
      seed: null,
    }));

  it('builds a request for a campaign with real dice', () => {
    const wished = createTableRequest(
      'rollwrite',
      { setup: { episode: 1 }, plan: [1, 2, 3] },
      { seats, seed: 'x', typed: true },
    );
    expect(wished).toMatchObject({ setup: { episode: 1 }, plan: [1, 2, 3], luck: 'typed', seed: null });
  });

  it('checks the number of seats of a mode', () => {
    expect(fitsSeats({ setup: {} }, 7)).toBe(true);
    expect(fitsSeats({ setup: {}, seats: [1] }, 1)).toBe(true);
    expect(fitsSeats({ setup: {}, seats: [1] }, 2)).toBe(false);
  });
});

it('reloads once for each version', () => {
  const kept = new Map<string, string>();
  const memory = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  expect(hasReloadedFor('2', memory)).toBe(false);
  expect(hasReloadedFor('2', memory)).toBe(true);
  expect(hasReloadedFor('3', memory)).toBe(false);
});

it('checks a seed against its commitment', async () => {
  const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(await matchesCommitment('616263', abc)).toBe(true);
  expect(await matchesCommitment('616264', abc)).toBe(false);
});

it('names the reason of a fatal connection', () => {
  expect(connectionProblem('unreadable')).toBe('This table is kept, but what is installed here cannot read it.');
  expect(connectionProblem('lost')).toBe('');
});

it('returns a text for an error', () => {
  expect(errorText(new ApiError(0, 'x'))).toBe('The server cannot be reached.');
  expect(errorText(new ApiError(404, 'x'))).toBe('It is not there any more.');
  expect(errorText(new Error('x'))).toBe('That did not work.');
  expect(errorText(new ApiError(429, 'x', 30))).toBe('That was a bit fast. Try again in 30\u00a0s.');
  expect(errorText(new ApiError(429, 'x', 1201))).toBe('That was a bit fast. Try again in 21\u00a0min.');
  expect(errorText(new ApiError(507, 'x'))).toMatch(/^You have too many tables here/);
  expect(refusalText({ code: 'nothing-to-take-back' }, null)).toBe('There is nothing to take back.');
  expect(refusalText({ code: 'unheard-of' }, null)).toBe('That is not possible now.');
});
