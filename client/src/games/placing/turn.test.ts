import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rotationsOf } from '../../board/geometry/shapes';
import { speak } from '../../i18n/index.svelte';
import type { BarredAction, ScoreChange, Reason } from '../../wire/server';
import { reason } from '../mycity/words';
import type { Action, TaskItem } from './table';
import { pointDifference, Turn, type TurnProps } from './turn.svelte';

const PASSING: ScoreChange = {
  line: 'passes',
  before: { line: 'passes', count: 0, points: 0 },
  after: { line: 'passes', count: 1, points: -1 },
};
const LAID: Action = { type: 'place', cells: ['a1', 'b1'] };

let choices: Action[];
let round: string;
let acted: unknown[];
let asked: unknown[];
let because: Reason | null;
let barred: readonly BarredAction[];
let thing: TaskItem | undefined;
let turn: Turn;

beforeEach(async () => {
  vi.useFakeTimers();
  await speak('en');
  choices = [LAID, { type: 'pass' }, { type: 'stop' }];
  round = '1';
  acted = [];
  asked = [];
  because = { code: 'not-meadow', about: { cells: ['b2'] } };
  barred = [];
  thing = undefined;
  turn = new Turn(() => props());
  turn.follow();
});

afterEach(() => vi.useRealTimers());

function props(): TurnProps {
  return {
    round,
    size: { width: 3, height: 2 },
    turns: rotationsOf(thing ? '#' : '##'),
    thing,
    reason,
    view: {},
    names: ['Ada', 'Bo'],
    status: ['thinking', 'thinking'],
    seat: 0,
    choices,
    barred,
    staged: null,
    events: [],
    act: (action) => void acted.push(action),
    retract: () => undefined,
    why: (action) => {
      asked.push(action);
      return Promise.resolve(because);
    },
    preview: () => Promise.resolve({ changes: [PASSING], events: [], view: null }),
  };
}

test('passing shows its price', async () => {
  await vi.runAllTimersAsync();
  expect(turn.price).toBe(-1);
  expect(turn.whyNoPass).toBe('');
});

test('where passing is illegal, shows the reason and sends no request', async () => {
  choices = [{ type: 'stop' }];
  barred = [{ action: { type: 'pass' }, reason: { code: 'must-build' } }];
  round = '2';
  turn.follow();
  await vi.runAllTimersAsync();
  expect(turn.whyNoPass).toBe('This one must be built: build or stop.');
  expect(turn.price).toBeNull();
  expect(asked).toEqual([]);
});

test('a piece at a legal place can be confirmed', () => {
  turn.confirm();
  expect(acted).toEqual([]);
  turn.hand.tap('a1', { x: 0.5, y: 0.5 });
  turn.confirm();
  expect(acted).toEqual([LAID]);
});

test('a refusal names the cells in the way and disappears after a while', async () => {
  await turn.refused([
    { x: 1, y: 1 },
    { x: 2, y: 1 },
  ]);
  expect(asked).toEqual([{ type: 'place', cells: ['b2', 'c2'] }]);
  expect(turn.message).toBe('You can only build on meadow.');
  expect(turn.flash).toEqual(['b2']);
  await vi.runAllTimersAsync();
  expect(turn.message).toBe('');
  expect(turn.flash).toEqual([]);
});

test('a piece that sticks out of the board sends no request', async () => {
  await turn.refused([
    { x: 2, y: 0 },
    { x: 3, y: 0 },
  ]);
  expect(asked).toEqual([]);
  expect(turn.message).toBe('It sticks out over the edge.');
});

test('a new round takes a new piece; the same round keeps it where it lies', () => {
  turn.hand.tap('a1', { x: 0.5, y: 0.5 });
  turn.follow();
  expect(turn.hand.place?.choice.action).toEqual(LAID);
  round = '2';
  turn.follow();
  expect(turn.hand.spot).toBeNull();
});

test('requests the score when the piece rests, and ignores outdated answers', async () => {
  const off = turn.look({ action: LAID, cells: ['a1', 'b1'] });
  off();
  await vi.runAllTimersAsync();
  expect(turn.changes).toBeNull();
  turn.look({ action: LAID, cells: ['a1', 'b1'] });
  await vi.runAllTimersAsync();
  expect(turn.changes).toEqual([PASSING]);
  turn.look(null);
  expect(turn.changes).toBeNull();
});

test('changes add up', () => {
  expect(pointDifference([PASSING, { line: 'gold', before: null, after: { line: 'gold', count: 1, points: 3 } }])).toBe(
    2,
  );
});

const KIOSK: TaskItem = {
  hint: 'A kiosk?',
  ready: 'Small.',
  confirm: 'Add it',
  at: (cell) => ({ type: 'kiosk', cell }),
  decline: { words: 'No', action: { type: 'no-kiosk' } },
};

function askForKiosk(): void {
  thing = KIOSK;
  choices = [KIOSK.at('b2'), { type: 'no-kiosk' }];
  round = 'kiosk';
  asked = [];
  turn.follow();
}

test('a thing for one cell is placed and confirmed like a building', () => {
  askForKiosk();
  turn.hand.tap('b2', { x: 1.5, y: 1.5 });
  turn.confirm();
  expect(acted).toEqual([{ type: 'kiosk', cell: 'b2' }]);
});

test('a thing may be declined, and the price of passing is not requested', async () => {
  askForKiosk();
  await vi.runAllTimersAsync();
  expect(asked).toEqual([]);
  turn.decline();
  expect(acted).toEqual([{ type: 'no-kiosk' }]);
});

test('the reason for a refused thing is requested with its own action', async () => {
  askForKiosk();
  await turn.refused([{ x: 0, y: 0 }]);
  expect(asked).toEqual([{ type: 'kiosk', cell: 'a1' }]);
});
