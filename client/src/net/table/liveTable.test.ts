import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ToScreen } from '../../wire/server';
import { decided, FakeServer, match, mine, news, people, person, scene, table, welcome } from './fakeServer';
import { LiveTable } from './liveTable.svelte';

let server: FakeServer;
let live: LiveTable;
let heard: (ToScreen | string)[];
const PASS = { type: 'pass' };

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  heard = [];
  live = new LiveTable('ws://here', server.connect, {
    received: (message) => heard.push(message),
    connectionChanged: (connection) => heard.push(connection),
  });
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
});

describe('a seat', () => {
  beforeEach(() => server.socket.open(welcome({ mine: [mine(0, { turn: 3 })] })));

  it('acts with the latest turn number', () => {
    live.act(PASS);
    expect(server.socket.received).toEqual([{ type: 'act', seat: 0, turn: 3, action: PASS }]);
  });

  it('sends nothing twice', () => {
    live.act(PASS);
    live.act(PASS);
    expect(server.socket.received).toHaveLength(1);
    server.socket.emit(decided([1], [0], [mine(0, { turn: 4, staged: PASS })]));
    live.retract();
    expect(server.socket.received.at(-1)).toEqual({ type: 'retract', seat: 0, turn: 4 });
  });

  it('is not answered by changes of other seats', () => {
    live.act(PASS);
    server.socket.emit(people({}, [mine(0, { turn: 3 })]), decided([0], [1]));
    live.act(PASS);
    expect(server.socket.received).toHaveLength(1);
  });

  it('may send again after a refusal', () => {
    live.act(PASS);
    server.socket.emit({ type: 'refused', seat: 0, reason: { code: 'off-board' }, mine: [mine(0, { turn: 3 })] });
    expect(live.refused?.code).toBe('off-board');
    live.act(PASS);
    expect(server.socket.received).toHaveLength(2);
    expect(live.refused).toBeNull();
  });

  it('shows a refusal for a while', () => {
    live.showRefusal({ code: 'first' });
    vi.advanceTimersByTime(4000);
    live.showRefusal({ code: 'second' });
    vi.advanceTimersByTime(4000);
    expect(live.refused?.code).toBe('second');
    vi.advanceTimersByTime(1001);
    expect(live.refused).toBeNull();
  });

  it('may send again after an answer', () => {
    live.act(PASS);
    server.socket.emit({ type: 'yours', mine: [mine(0, { turn: 5, choices: [] })] });
    expect(live.mine?.turn).toBe(5);
    live.act(PASS);
    expect(server.socket.received.at(-1)).toMatchObject({ turn: 5 });
  });

  it('may send again after a lost connection', () => {
    live.act(PASS);
    server.socket.drop();
    vi.advanceTimersByTime(1000);
    expect(server.socket.address).toBe('ws://here?since=1&match=0');
    server.socket.open(welcome({ mine: [mine(0, { turn: 3 })] }));
    live.act(PASS);
    expect(server.socket.received).toEqual([{ type: 'act', seat: 0, turn: 3, action: PASS }]);
  });

  it('requests a hint, which makes the match practice', async () => {
    const asked = live.hint();
    expect(server.socket.received).toEqual([{ type: 'ask-hint', ask: 1, seat: 0 }]);
    const explanation = { bot: 'level-3', simulations: 500, final: true, options: [] };
    server.socket.emit(people({ match: match({ practice: true }) }), { type: 'hint', ask: 1, explanation });
    expect(await asked).toEqual({ explanation, reason: null });
    expect(live.match?.practice).toBe(true);
  });

  it('gets the reason for a missing hint', async () => {
    const asked = live.hint();
    server.socket.emit({ type: 'hint', ask: 1, explanation: null, reason: { code: 'hint-among-people' } });
    expect(await asked).toEqual({ explanation: null, reason: { code: 'hint-among-people' } });
  });

  it('sends nothing without legal actions', () => {
    server.socket.emit(news({ number: 2 }));
    live.act(PASS);
    expect(server.socket.received).toEqual([]);
  });

  it('requests reasons and previews', async () => {
    const why = live.why(PASS);
    vi.advanceTimersByTime(200);
    const preview = live.preview(PASS);
    expect(server.socket.received).toEqual([
      { type: 'why', ask: 1, seat: 0, action: PASS },
      { type: 'preview', ask: 2, seat: 0, action: PASS },
    ]);
    const outcome = { changes: [{ line: 'trees', before: null, after: null }], events: [PASS], view: { round: 2 } };
    server.socket.emit({ type: 'previewed', ask: 2, ...outcome }, { type: 'because', ask: 1, reason: null });
    await expect(why).resolves.toBeNull();
    await expect(preview).resolves.toEqual(outcome);
  });

  it('gets fallbacks when the connection is lost', async () => {
    const why = live.why(PASS);
    server.socket.drop();
    await expect(why).resolves.toEqual({ code: 'no-answer' });
    const preview = live.preview(PASS);
    vi.advanceTimersByTime(200);
    await expect(preview).resolves.toEqual({ changes: [], events: [], view: null });
  });

  it('knows whether it has to decide', () => {
    expect(live.due).toEqual([0]);
    server.socket.emit(decided([1], [0]));
    expect(live.due).toEqual([]);
    server.socket.emit(news({ due: [0] }));
    expect(live.due).toEqual([0]);
    server.socket.emit(news({ due: [1] }));
    expect(live.due).toEqual([]);
  });

  it('is not played while a bot stands in', () => {
    server.socket.emit(people({ seats: [person(0, { bot: 'greedy' }), person(1)] }));
    expect(live.seat).toBeNull();
    expect(live.mine).toBeUndefined();
    live.act(PASS);
    expect(server.socket.received).toEqual([]);
  });

  it('follows a takeback request', () => {
    live.askTakeback();
    expect(server.socket.received).toEqual([{ type: 'ask-takeback', seat: 0 }]);
    server.socket.emit({
      type: 'asking',
      seat: 0,
      wish: { type: 'go-back', moves: 1, past_reveal: true },
      waiting: [1],
    });
    expect(live.state.asked?.waiting).toEqual([1]);
    server.socket.emit({
      type: 'asking',
      seat: 0,
      wish: { type: 'go-back', moves: 1, past_reveal: true },
      waiting: [],
    });
    expect(live.state.asked).toBeNull();
  });
});

describe('a spectator', () => {
  it('sees the table and sends nothing', async () => {
    server.socket.open(welcome({ table: table({ yours: [] }), mine: [] }));
    expect(live.seat).toBeNull();
    live.act(PASS);
    await expect(live.preview(PASS)).resolves.toEqual({ changes: [], events: [], view: null });
    expect(server.socket.received).toEqual([]);
  });
});

describe('several players at one screen', () => {
  beforeEach(() => server.socket.open(welcome({ table: table({ yours: [0, 1] }), mine: [mine(0), mine(1)] })));

  it('play one after the other, with a curtain between', () => {
    expect(live.seat).toBe(0);
    live.act(PASS);
    server.socket.emit(decided([1], [0], [mine(0, { turn: 1, staged: PASS })]));
    expect(live.seat).toBeNull();
    expect(live.hotSeat).toEqual({ seat: 0, passTo: 1 });
    live.act(PASS);
    expect(server.socket.received).toHaveLength(1);
    live.revealSeat();
    expect(live.seat).toBe(1);
    live.act(PASS);
    expect(server.socket.received.at(-1)).toEqual({ type: 'act', seat: 1, turn: 0, action: PASS });
    server.socket.emit(news({ number: 3 }, [mine(0, { turn: 1 }), mine(1, { turn: 1 })]));
    expect(live.seat).toBe(1);
  });

  it('return the screen to the previous player', () => {
    live.act(PASS);
    server.socket.emit(decided([1], [0], [mine(0, { turn: 1, staged: PASS })]));
    live.handBack();
    expect(server.socket.received.at(-1)).toEqual({ type: 'retract', seat: 0, turn: 1 });
    server.socket.emit(decided([0, 1], [], [mine(0, { turn: 2 })]));
    expect(live.seat).toBe(0);
  });
});

describe('real dice', () => {
  const ROLL = { type: 'roll', faces: [] };
  const dice = mine(-1, { turn: 2, choices: [ROLL] });
  const waiting = mine(0, { choices: [] });
  beforeEach(() =>
    server.socket.open(welcome({ table: table({ luck: 'typed' }), scene: scene({ due: [] }), mine: [waiting] })),
  );

  it('are entered by a player with a seat', () => {
    expect(live.luck).toEqual([]);
    server.socket.emit(news({ due: [] }, [waiting, dice]));
    expect(live.luck).toEqual([ROLL]);
    expect(live.seat).toBe(0);
    live.typeIn(ROLL);
    live.typeIn(ROLL);
    expect(server.socket.received).toEqual([{ type: 'act', seat: -1, turn: 2, action: ROLL }]);
    server.socket.emit(news({ number: 2 }, [mine(0), mine(-1, { turn: 3, choices: [] })]));
    expect(live.luck).toEqual([]);
  });

  it('are hidden from players without a seat', () => {
    server.socket.emit(news({ due: [] }, [waiting, dice]), people({}, [waiting, dice]));
    expect(live.luck).toEqual([ROLL]);
    server.socket.emit(people({ yours: [] }));
    expect(live.luck).toEqual([]);
  });
});

describe('an observer', () => {
  it('gets each message once, after it was applied, and the state of the connection', () => {
    const messages = [welcome(), news({ events: [{ type: 'ended' }] }), decided([1], [0])];
    server.socket.open(...messages);
    server.socket.emit({ type: 'because', ask: 9, reason: null });
    server.socket.drop();
    expect(heard).toEqual(['open', ...messages, 'lost']);
  });

  it('sees a new match instead of the former one', () => {
    server.socket.open(welcome(), news({ match: match({ over: true, seed: 'ab' }), due: [], number: 40 }));
    const next = match({ number: 1 });
    server.socket.emit(welcome({ table: table({ match: next }), scene: scene({ match: next }) }));
    expect(live.match?.number).toBe(1);
    expect(live.state.scene?.number).toBe(1);
    expect(live.due).toEqual([0]);
  });

  it('sees a table without a match, and a match that cannot be shown', () => {
    server.socket.open(welcome({ table: table({ match: null }), scene: null, mine: [] }));
    expect(live.match).toBeNull();
    server.socket.emit(welcome({ table: table({ match: match({ playable: false }) }), scene: null, mine: [] }));
    expect(live.match?.playable).toBe(false);
  });
});
