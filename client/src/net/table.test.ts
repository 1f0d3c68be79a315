import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FakeServer, match, mine, news, person, table, view, welcome } from './fake';
import { LiveTable } from './table.svelte';

let server: FakeServer;
let live: LiveTable;
const PASS = { type: 'pass' };

beforeEach(() => {
  vi.useFakeTimers();
  server = new FakeServer();
  live = new LiveTable('ws://here', server.connect);
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
});

describe('a seat', () => {
  beforeEach(() => server.wire.open(welcome(), news(), mine(0, { turn: 3 })));

  it('acts with the turn it was told last', () => {
    live.act(PASS);
    expect(server.wire.heard).toEqual([{ type: 'act', seat: 0, turn: 3, action: PASS }]);
  });

  it('says nothing twice', () => {
    live.act(PASS);
    live.act(PASS);
    expect(server.wire.heard).toHaveLength(1);
    server.wire.say({ type: 'decided', seats: [0] }, mine(0, { turn: 4, staged: PASS }));
    live.retract();
    expect(server.wire.heard.at(-1)).toEqual({ type: 'retract', seat: 0, turn: 4 });
  });

  it('may speak again after a refusal', () => {
    live.act(PASS);
    server.wire.say({ type: 'refused', seat: 0, reason: { code: 'off-board' } });
    expect(live.refused?.reason.code).toBe('off-board');
    live.act(PASS);
    expect(server.wire.heard).toHaveLength(2);
    expect(live.refused).toBeNull();
  });

  it('may speak again after the connection was lost', () => {
    live.act(PASS);
    server.wire.drop();
    vi.advanceTimersByTime(1000);
    expect(server.wire.address).toBe('ws://here?since=1&match=0');
    server.wire.open(welcome(), news(), mine(0, { turn: 3 }));
    live.act(PASS);
    expect(server.wire.heard).toEqual([{ type: 'act', seat: 0, turn: 3, action: PASS }]);
  });

  it('asks for a hint and learns that the match is practice', async () => {
    const asked = live.hint();
    expect(server.wire.heard).toEqual([{ type: 'ask-hint', ask: 1, seat: 0 }]);
    const explanation = { bot: 'level-3', simulations: 500, final: true, options: [] };
    server.wire.say(
      { type: 'people', table: table({ match: match({ practice: true }) }) },
      { type: 'hint', ask: 1, explanation },
    );
    expect(await asked).toEqual(explanation);
    expect(live.state.match?.practice).toBe(true);
  });

  it('has nothing to say before it was told what it may do', () => {
    server.wire.say(news({ number: 2 }));
    live.act(PASS);
    expect(server.wire.heard).toEqual([]);
  });

  it('asks why and what if', async () => {
    const why = live.why(PASS);
    vi.advanceTimersByTime(200);
    const preview = live.preview(PASS);
    expect(server.wire.heard).toEqual([
      { type: 'why', ask: 1, seat: 0, action: PASS },
      { type: 'preview', ask: 2, seat: 0, action: PASS },
    ]);
    const changes = [{ line: 'trees', before: null, after: null }];
    server.wire.say({ type: 'previewed', ask: 2, changes }, { type: 'because', ask: 1, reason: null });
    await expect(why).resolves.toBeNull();
    await expect(preview).resolves.toEqual(changes);
  });

  it('is not left waiting when the connection goes', async () => {
    const why = live.why(PASS);
    server.wire.drop();
    await expect(why).resolves.toEqual({ code: 'no-answer' });
    const preview = live.preview(PASS);
    vi.advanceTimersByTime(200);
    await expect(preview).resolves.toEqual([]);
  });

  it('knows who is still deciding', () => {
    expect(live.due).toEqual([0]);
    expect(live.status).toEqual(['thinking', 'thinking']);
    server.wire.say({ type: 'decided', seats: [0] });
    expect(live.due).toEqual([]);
    expect(live.status).toEqual(['ready', 'thinking']);
    server.wire.say({ type: 'people', table: table({ seats: [person(0), person(1, { online: false })] }) });
    expect(live.status).toEqual(['ready', 'away']);
    server.wire.say(news({ view: view([0]) }));
    expect(live.status).toEqual(['thinking', 'waiting']);
    server.wire.say(news({ view: view([], true), match: match({ over: true }) }));
    expect(live.status).toEqual(['done', 'done']);
  });

  it('is not played while a bot plays in', () => {
    server.wire.say({ type: 'people', table: table({ seats: [person(0, { bot: 'greedy' }), person(1)] }) });
    expect(live.seat).toBeNull();
    expect(live.state.mine).toEqual({});
    live.act(PASS);
    expect(server.wire.heard).toEqual([]);
  });

  it('hears of a takeback and of its end', () => {
    live.askTakeback();
    expect(server.wire.heard).toEqual([{ type: 'ask-takeback', seat: 0 }]);
    server.wire.say({ type: 'takeback-asked', seat: 0, waiting: [1] });
    expect(live.state.takeback?.waiting).toEqual([1]);
    server.wire.say({ type: 'takeback-asked', seat: 0, waiting: [] });
    expect(live.state.takeback).toBeNull();
  });
});

describe('a spectator', () => {
  it('sees and says nothing', async () => {
    server.wire.open(welcome({ yours: [] }), news());
    expect(live.seat).toBeNull();
    live.act(PASS);
    await expect(live.preview(PASS)).resolves.toEqual([]);
    expect(server.wire.heard).toEqual([]);
  });
});

describe('several people at one screen', () => {
  beforeEach(() => server.wire.open(welcome({ yours: [0, 1] }), news(), mine(0), mine(1)));

  it('play one after the other, and a curtain comes between', () => {
    expect(live.seat).toBe(0);
    live.act(PASS);
    server.wire.say({ type: 'decided', seats: [0] }, mine(0, { turn: 1, staged: PASS }));
    expect(live.seat).toBeNull();
    expect(live.hot).toEqual({ seat: 0, passTo: 1 });
    live.act(PASS);
    expect(server.wire.heard).toHaveLength(1);
    live.lift();
    expect(live.seat).toBe(1);
    live.act(PASS);
    expect(server.wire.heard.at(-1)).toEqual({ type: 'act', seat: 1, turn: 0, action: PASS });
    server.wire.say(news({ number: 3 }), mine(0, { turn: 1 }), mine(1, { turn: 1 }));
    expect(live.seat).toBe(1);
  });

  it('let the one before think again', () => {
    live.act(PASS);
    server.wire.say({ type: 'decided', seats: [0] }, mine(0, { turn: 1, staged: PASS }));
    live.handBack();
    expect(server.wire.heard.at(-1)).toEqual({ type: 'retract', seat: 0, turn: 1 });
    server.wire.say({ type: 'decided', seats: [] }, mine(0, { turn: 2 }));
    expect(live.seat).toBe(0);
  });
});

describe('real dice', () => {
  const ROLL = { type: 'roll', faces: [] };
  beforeEach(() => server.wire.open(welcome({ luck: 'typed' }), news({ view: view([]) }), mine(0, { choices: [] })));

  it('are typed in by whoever has a seat', () => {
    expect(live.luck).toEqual([]);
    server.wire.say(mine(-1, { turn: 2, choices: [ROLL] }));
    expect(live.luck).toEqual([ROLL]);
    expect(live.seat).toBe(0);
    live.typeIn(ROLL);
    live.typeIn(ROLL);
    expect(server.wire.heard).toEqual([{ type: 'act', seat: -1, turn: 2, action: ROLL }]);
    server.wire.say(news({ number: 2 }), mine(0), mine(-1, { turn: 3, choices: [] }));
    expect(live.luck).toEqual([]);
  });

  it('stay known when people come and go, but not to those who leave', () => {
    server.wire.say(mine(-1, { choices: [ROLL] }), { type: 'people', table: table() });
    expect(live.luck).toEqual([ROLL]);
    server.wire.say({ type: 'people', table: table({ yours: [] }) });
    expect(live.luck).toEqual([]);
  });
});

describe('news', () => {
  it('are told with what happened', () => {
    const told: unknown[] = [];
    live.onnews = (events, takeback) => told.push([events, takeback]);
    server.wire.open(welcome(), news({ events: [{ type: 'ended' }] }), news({ takeback: true }));
    expect(told).toEqual([
      [[{ type: 'ended' }], false],
      [[], true],
    ]);
  });

  it('of a new match replace those of the old one', () => {
    server.wire.open(welcome(), news({ match: match({ over: true, seed: 'ab' }), view: view([], true), number: 40 }));
    server.wire.say(
      welcome({ match: match({ number: 1 }) }),
      news({ match: match({ number: 1 }), number: 1 }),
      mine(0),
    );
    expect(live.state.match?.number).toBe(1);
    expect(live.state.number).toBe(1);
    expect(live.due).toEqual([0]);
  });
});
