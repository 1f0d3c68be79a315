import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { speak } from '../../../i18n/index.svelte';
import type { Action, Offer, TableView } from '../../../wire/pointcity';
import type { GameScreenProps, ShownHint } from '../../types';
import { pointDifference, Turn } from './turn.svelte';

const TAKES: readonly Action[] = [
  { type: 'take', cells: ['a1', 'b1'] },
  { type: 'take', cells: ['a1', 'a2'] },
  { type: 'take', cells: ['c1', 'd1'] },
];
/** The neighbours b1 and c1 cannot be paid. */
const OFFERS: readonly Offer[] = [
  { cells: ['a1', 'b1'], left: {} },
  { cells: ['b1', 'c1'], short: 1 },
  { cells: ['c1', 'd1'], left: {} },
  { cells: ['a1', 'a2'], left: {} },
];
const CHANGE = { line: 'unspent', before: null, after: { line: 'unspent', count: 3, points: 2 } };

let choices: readonly Action[];
let table: TableView;
let acted: unknown[];
let asked: unknown[];
let hint: ShownHint | null;
let turn: Turn;

beforeEach(async () => {
  vi.useFakeTimers();
  await speak('en');
  choices = [{ type: 'flip', at: 'a1' }, ...TAKES, { type: 'draw' }];
  table = { turns: 0, phase: 'turn', civic: 0, line: [], offers: OFFERS } as unknown as TableView;
  acted = [];
  asked = [];
  hint = null;
  turn = new Turn(props);
  turn.follow();
});

afterEach(() => vi.useRealTimers());

function props(): GameScreenProps & { table: TableView } {
  return {
    table,
    view: { table },
    names: ['Ada', 'Bo'],
    status: ['thinking', 'waiting'],
    seat: 0,
    choices,
    hint,
    barred: [],
    staged: null,
    events: [],
    act: (action) => void acted.push(action),
    retract: () => undefined,
    why: (action) => {
      asked.push(action);
      return Promise.resolve({ code: 'cannot-pay' });
    },
    preview: () => Promise.resolve({ changes: [CHANGE], events: [], view: null }),
  };
}

test('cards in a pair can be taken, and one card highlights its partners', () => {
  expect([...turn.takeable].sort()).toEqual(['a1', 'a2', 'b1', 'c1', 'd1']);
  turn.tap('a1');
  expect([...turn.partners].sort()).toEqual(['a2', 'b1']);
  expect(turn.take).toBeNull();
  turn.tap('b1');
  expect(turn.take).toEqual(TAKES[0]);
  expect(turn.settled).toBe(true);
});

test('the order of the taps does not matter', () => {
  turn.tap('a2');
  turn.tap('a1');
  expect(turn.offer?.cells).toEqual(['a1', 'a2']);
  expect(turn.take).toEqual(TAKES[1]);
});

test('a partner that is pointed at is shown, not chosen', () => {
  turn.tap('a1');
  turn.pointed = 'b1';
  expect(turn.take).toEqual(TAKES[0]);
  expect(turn.settled).toBe(false);
  turn.pointed = 'd4';
  expect(turn.offer).toBeNull();
});

test('a tap elsewhere starts a new choice, a second tap clears it', () => {
  turn.tap('a1');
  turn.tap('d1');
  expect(turn.chosen).toEqual(['d1']);
  turn.tap('d1');
  expect(turn.chosen).toEqual([]);
});

test('a neighbour that cannot be taken shows the reason', async () => {
  turn.tap('b1');
  turn.tap('c1');
  expect(asked).toEqual([{ type: 'take', cells: ['b1', 'c1'] }]);
  await vi.runAllTimersAsync();
  expect(turn.take).toBeNull();
  expect(turn.message).toBe('You cannot pay for them.');
});

test('the deck is chosen alone', () => {
  turn.tap('a1');
  turn.chooseDeck();
  expect([turn.deck, turn.chosen]).toEqual([true, []]);
  turn.tap('a1');
  expect([turn.deck, turn.chosen]).toEqual([false, ['a1']]);
});

test('the next turn clears the choice, but a turned card stays chosen', () => {
  turn.tap('a1');
  table = { ...table, phase: 'take' };
  choices = TAKES;
  turn.follow();
  expect(turn.chosen).toEqual(['a1']);
  table = { ...table, turns: 1, phase: 'turn' };
  turn.follow();
  expect(turn.chosen).toEqual([]);
});

test('no card can be chosen while no card is to be taken', () => {
  choices = [{ type: 'token', token: 'flat-5' }];
  turn.tap('a1');
  expect(turn.chosen).toEqual([]);
  expect(turn.picks).toHaveLength(1);
});

test('the score is requested only after the choice rests', async () => {
  turn.look(TAKES[0] ?? null)();
  await vi.runAllTimersAsync();
  expect(turn.changes).toBeNull();
  turn.look(TAKES[1] ?? null);
  await vi.runAllTimersAsync();
  expect(pointDifference(turn.changes ?? [])).toBe(2);
});

test('advised actions are numbered', () => {
  hint = { actions: [TAKES[2], { type: 'flip', at: 'd1' }, { type: 'draw' }], chosen: 1 };
  expect(turn.advised(TAKES[2]!)).toBe(1);
  expect(turn.advised(TAKES[0]!)).toBe(0);
  expect(turn.advisedAt('d1')).toEqual([1, 2]);
  expect(turn.isLookedAt(2)).toBe(true);
});
