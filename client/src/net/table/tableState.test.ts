import { describe, expect, it } from 'vitest';
import type { ToScreen } from '../../wire/server';
import { decided, match, mine, news, people, person, scene, table, welcome } from './fakeServer';
import { reduceTable, matchOf, INITIAL_STATE, playedSeats, type TableState } from './tableState';

const heard = (...messages: ToScreen[]): TableState => messages.reduce(reduceTable, INITIAL_STATE);
const begun = welcome({ mine: [mine(0, { turn: 2 })] });
const asked = {
  type: 'asking',
  seat: 1,
  wish: { type: 'go-back', moves: 1, past_reveal: true },
  waiting: [0],
} as const;

describe('a welcome', () => {
  it('replaces the state', () => {
    expect(heard(begun)).toEqual({
      version: '0',
      table: table(),
      scene: scene(),
      mine: { 0: mine(0, { turn: 2 }) },
      asked: null,
      time: null,
    });
    expect(heard(welcome({ asked })).asked).toEqual(asked);
  });

  it('leaves nothing of the former state', () => {
    const empty = welcome({ table: table({ match: null }), scene: null, mine: [] });
    expect(heard(begun, asked, empty)).toEqual({ ...heard(empty) });
  });
});

describe('news', () => {
  const next = news({ match: match({ over: true }), number: 2, due: [], view: { round: 2 } }, [mine(0, { turn: 3 })]);

  it('replace the scene and the choices', () => {
    const state = heard(begun, next);
    expect(state.scene).toEqual(next.scene);
    expect(state.mine).toEqual({ 0: mine(0, { turn: 3 }) });
    expect(state.table?.match?.over).toBe(true);
  });

  it('drop former choices and an answered request', () => {
    expect(heard(begun, news()).mine).toEqual({});
    expect(heard(begun, asked, news()).asked).toBeNull();
  });
});

describe('a decision', () => {
  it('changes the due seats and the listed own seats', () => {
    const both = welcome({ table: table({ yours: [0, 1] }), mine: [mine(0), mine(1)] });
    const state = heard(both, decided([1], [0], [mine(0, { turn: 1, staged: 'x' })]));
    expect(state.scene).toMatchObject({ due: [1], decided: [0] });
    expect(state.mine).toEqual({ 0: mine(0, { turn: 1, staged: 'x' }), 1: mine(1) });
  });

  it('keeps the events', () => {
    const [before, later] = [heard(begun), heard(begun, decided([1], [0]))];
    expect(later.mine).toEqual(before.mine);
    expect(reduceTable(before, decided([1], [0])).scene?.events).toBe(before.scene?.events);
    expect(reduceTable(before, decided([1], [0])).scene?.view).toBe(before.scene?.view);
  });
});

describe('people', () => {
  it('lose their choices with their seats', () => {
    expect(heard(begun, people({ yours: [] })).mine).toEqual({});
    expect(heard(begun, people({}, [mine(0, { turn: 5 })])).mine).toEqual({ 0: mine(0, { turn: 5 }) });
  });

  it('can make the match on the table practice, and no other', () => {
    const practice = match({ practice: true });
    expect(matchOf(heard(begun, people({ match: practice })))).toEqual(practice);
    expect(heard(begun, people({ match: { ...practice, number: 1 } })).scene?.match.practice).toBe(false);
  });
});

describe('an answer', () => {
  it.each([
    { type: 'yours', mine: [mine(0, { turn: 9 })] },
    { type: 'refused', seat: 0, reason: { code: 'x' }, mine: [mine(0, { turn: 9 })] },
  ] as const)('updates the own seats: $type', (message) => {
    expect(heard(begun, message).mine).toEqual({ 0: mine(0, { turn: 9 }) });
  });

  it('to a question changes nothing', () => {
    const state = heard(begun);
    expect(reduceTable(state, { type: 'because', ask: 1, reason: null })).toBe(state);
  });
});

it('a seat where a bot plays in is not played here', () =>
  expect(playedSeats(table({ yours: [0, 1], seats: [person(0, { bot: 'greedy' }), person(1)] }))).toEqual([1]));

describe('time', () => {
  it('is stored with its time of arrival, until no clock runs', () => {
    const clocks = { now: 5, seats: [{ seat: 0, left: 900, runs: true, deadline: 905, rests: null }] };
    const begun = reduceTable(INITIAL_STATE, { ...welcome(), clocks }, 70);
    expect(begun.time).toEqual({ ...clocks, receivedAt: 70 });
    expect(reduceTable(begun, { type: 'yours', mine: [] }, 80).time).toBe(begun.time);
    expect(reduceTable(begun, { ...news(), clocks: null }, 80).time).toBeNull();
  });

  it('a request for another pace stays while the match goes on', () => {
    const pace = { type: 'unhurried' } as const;
    const wish = { type: 'asking', seat: 1, wish: { type: 'change-pace', pace }, waiting: [0] } as const;
    expect(heard(begun, wish, news()).asked).toEqual(wish);
    expect(heard(begun, wish, { ...wish, waiting: [] }).asked).toBeNull();
  });
});
