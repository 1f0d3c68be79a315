import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GameModule } from '../../../games/types';
import { speak } from '../../../i18n/index.svelte';
import { announce, announcement } from '../../../lib/page/announcer.svelte';
import { ApiError } from '../../../net/backend';
import {
  decided,
  FakeServer,
  match,
  mine,
  news,
  people,
  person,
  scene,
  table,
  welcome,
} from '../../../net/table/fakeServer';
import { LiveTable } from '../../../net/table/liveTable.svelte';
import type { CountingUp } from '../../../shell/end/counting.svelte';
import type { ToScreen } from '../../../wire/server';
import { TableSession, type SessionEnvironment } from './tableSession.svelte';

// The texts of hints come from a file, whose loading time fake timers do not control.
vi.mock('../../../i18n/books.svelte', () => ({ openBook: () => Promise.resolve() }));

interface Event {
  readonly type: string;
}

let server: FakeServer;
let session: TableSession;
let leave: () => void;
let read: Set<string>;
let asked: string[];
let prepare: () => Promise<void>;
let failing: Error | null;
let felt: string[];
let counted: { totals: readonly number[]; stopped: boolean } | null;
let done: () => void;

const game = {
  describe: (event, names) => `${names[0]}: ${(event as Event).type}.`,
  stopped: (view, seat) => (view as { stopped?: number }).stopped === seat,
  matchName: () => 'Episode 3',
  prepare: () => prepare(),
  feedbackOf: (event) => ((event as Event).type === 'built' ? 'place' : undefined),
  isAnnounced: (event) => (event as Event).type === 'built',
  letters: {
    page: undefined as never,
    name: () => 'A letter',
    waits: (id: string) => !read.has(id),
    keep: (id: string) => void read.add(id),
  },
} as Partial<GameModule> as GameModule;

function answer<Answer>(what: string, value: Answer): Promise<Answer> {
  asked.push(what);
  return failing ? Promise.reject(failing) : Promise.resolve(value);
}

const world: SessionEnvironment = {
  count: (result, whenDone) => {
    done = whenDone;
    counted = { totals: result.scores, stopped: false };
    const stop = (): void => void (counted = counted && { ...counted, stopped: true });
    return Promise.resolve({ line: 'trees', stop } as Partial<CountingUp> as CountingUp);
  },
  playFeedback: (...what) => void felt.push(...what),
  loadSiteInfo: () => answer('hello', null),
  open: (id, follower) => new LiveTable(`ws://${id}`, server.connect, follower),
  load: (key) => answer(`load ${key}`, game),
  api: {
    changeSeat: (id, seat, wish) => answer(`${id}/${seat} ${wish.type}`, table()),
    rematch: (id) => answer(`${id} rematch`, table()),
    events: (id, number, since) =>
      answer(`${id}/${number} events ${since}`, { moves: 1, rounds: [[{ type: 'begun' }]] }),
  },
};

async function sit(...messages: ToScreen[]): Promise<void> {
  leave = session.enter();
  await vi.advanceTimersByTimeAsync(0);
  server.socket.open(...messages);
  await vi.advanceTimersByTimeAsync(0);
}

beforeAll(() => speak('en'));

beforeEach(() => {
  vi.useFakeTimers();
  [server, read, asked, failing] = [new FakeServer(), new Set(['x']), [], null];
  [felt, counted] = [[], null];
  prepare = () => Promise.resolve();
  session = new TableSession('x', world);
  leave = () => undefined;
  announce('silence');
});

afterEach(() => {
  leave();
  vi.useRealTimers();
});

describe('the connection', () => {
  it('is opened after the first request, which sets the cookie', async () => {
    await sit();
    expect(asked).toEqual(['hello']);
    expect(server.socket.address).toBe('ws://x');
  });

  it('is opened although the first request fails, but not after the page is left', async () => {
    failing = new Error('no');
    await sit();
    expect(server.sockets).toHaveLength(1);
    session.enter()();
    await vi.advanceTimersByTimeAsync(0);
    expect(server.sockets).toHaveLength(1);
  });

  it('loads the game and the needs of its match once', async () => {
    const prepared = vi.fn(() => Promise.resolve());
    prepare = prepared;
    await sit(welcome());
    expect(session.tableView.game).toBe(game);
    expect(session.loader.ready).toBe(true);
    server.socket.emit(welcome(), welcome());
    await vi.advanceTimersByTimeAsync(0);
    expect(prepared).toHaveBeenCalledTimes(1);
    expect(asked).toEqual(['hello', 'load mycity']);
  });

  it('shows a match only after all its parts are loaded', async () => {
    let come: () => void = () => undefined;
    await sit(welcome());
    prepare = () => new Promise((resolve) => (come = resolve));
    const next = match({ number: 1 });
    server.socket.emit(welcome({ table: table({ match: next }), scene: scene({ match: next }) }));
    await vi.advanceTimersByTimeAsync(0);
    expect(session.loader.ready).toBe(false);
    come();
    await vi.advanceTimersByTimeAsync(0);
    expect(session.loader.ready).toBe(true);
  });

  it('shows a board with missing texts rather than none', async () => {
    prepare = () => Promise.reject(new Error('gone'));
    await sit(welcome());
    expect(session.loader.ready).toBe(true);
    expect(session.problem).toBe('The server cannot be reached.');
  });

  it('announces that the connection is back', async () => {
    await sit(welcome());
    server.socket.drop();
    expect(session.tableView.live?.connection).toBe('lost');
    session.tableView.live?.reconnectNow();
    server.socket.open();
    expect(announcement()).toBe('The connection is back.');
  });
});

describe('screen readers', () => {
  it('receive the events and the turn', async () => {
    await sit(welcome());
    server.socket.emit(news({ moves: 2, events: [{ type: 'dealt' }, { type: 'built' }] }, [mine(0)]));
    expect(announcement()).toBe('P0: dealt. P0: built. Your turn');
    server.socket.emit(news({ moves: 1, due: [1], back: true }));
    expect(announcement()).toBe('The last decision was taken back. Still deciding: P1');
  });
});

describe('the headline', () => {
  it.each([
    [scene({ due: [0] }), table(), 'Your turn'],
    [scene({ due: [1] }), table(), 'Still deciding: P1'],
    [scene({ due: [1] }), table({ yours: [0, 1] }), 'P1’s turn'],
    [scene({ due: [] }), table(), ''],
    [scene({ due: [], match: match({ over: true }) }), table(), ''],
  ])('%#', async (seen, at, expected) => {
    await sit(welcome({ scene: seen, table: at }));
    expect(session.tableView.headline).toBe(expected);
  });

  it('asks for the dice if they are typed in', async () => {
    await sit(welcome({ scene: scene({ due: [] }), mine: [mine(-1)] }));
    expect(session.tableView.headline).toBe('Now your dice or cards: type them in');
  });
});

describe('players', () => {
  it('are thinking, ready, away or have stopped', async () => {
    await sit(welcome({ scene: scene({ due: [1], view: { stopped: 0 } }) }));
    expect(session.tableView.status).toEqual(['stopped', 'thinking']);
    server.socket.emit(people({ seats: [person(0), person(1, { online: false, replaceable: true })] }));
    expect(session.tableView.status).toEqual(['stopped', 'away']);
    expect(session.tableView.away.map(({ seat }) => seat)).toEqual([1]);
  });

  it('join a table, and errors are shown', async () => {
    await sit(welcome({ table: table({ yours: [], seats: [person(0), person(1, { kind: 'open' })] }), mine: [] }));
    session.panel = 'join';
    session.join('Ana');
    expect(session.panel).toBeNull();
    expect(session.busy).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.at(-1)).toBe('x/1 join');
    expect(session.busy).toBe(false);
    failing = new ApiError(403, 'no');
    session.rematch();
    await vi.advanceTimersByTimeAsync(0);
    expect(session.problem).toBe('That is not possible at this table right now.');
  });

  it('may have a stand-in bot', async () => {
    await sit(welcome({ table: table({ seats: [person(0, { bot: 'greedy' }), person(1)] }), mine: [] }));
    expect(session.tableView.botForMe).toBe(0);
    expect(session.tableView.seat).toBeNull();
  });
});

describe('a letter', () => {
  it('is unread until it is closed, and then stays read', async () => {
    read.clear();
    await sit(welcome());
    expect(session.loader.unread).toBe(true);
    session.loader.keepLetter();
    expect(session.loader.unread).toBe(false);
    expect(read.has('x')).toBe(true);
  });

  it('is not shown for a finished match', async () => {
    read.clear();
    await sit(welcome({ scene: scene({ match: match({ over: true }) }) }));
    expect(session.loader.unread).toBe(false);
  });
});

describe('a takeback', () => {
  beforeEach(() => sit(welcome({ scene: scene({ moves: 3 }) })));

  it('is requested at once if no information was revealed', () => {
    server.socket.emit(news({ moves: 4 }, [mine(0, { free: true })]));
    session.takeBack();
    expect(server.socket.received).toEqual([{ type: 'ask-takeback', seat: 0 }]);
  });

  it('needs a confirmation if information was revealed', () => {
    session.takeBack();
    expect(session.panel).toBe('takeback');
    expect(server.socket.received).toEqual([]);
    session.takeBackNow();
    expect(session.panel).toBeNull();
    expect(server.socket.received).toEqual([{ type: 'ask-takeback', seat: 0 }]);
  });

  it('of another player must be answered once', () => {
    const question = {
      type: 'asking',
      seat: 1,
      wish: { type: 'go-back', moves: 1, past_reveal: true },
      waiting: [0],
    } as const;
    server.socket.emit(question);
    expect(session.mustAnswer).toBe(true);
    session.consent(true);
    expect(session.mustAnswer).toBe(false);
    expect(server.socket.received).toEqual([{ type: 'consent', yes: true }]);
    server.socket.emit(news({ back: true }), question);
    expect(session.mustAnswer).toBe(true);
  });

  it('is not offered before the first decision, nor to spectators', () => {
    server.socket.emit(news({ moves: 9 }, [mine(0, { played: true })]));
    expect(session.canTakeBack).toBe(true);
    server.socket.emit(news({ moves: 9 }, [mine(0)]));
    expect(session.canTakeBack).toBe(false);
    server.socket.emit(news({ moves: 9 }), people({ yours: [] }));
    expect(session.canTakeBack).toBe(false);
  });
});

describe('a hint', () => {
  const alone = table({ seats: [person(0), person(1, { kind: 'bot', bot: 'greedy' })] });
  const explanation = {
    bot: 'level-3',
    simulations: 9,
    final: true,
    options: [{ action: 1, expected: 2, features: {}, pro: [], con: [] }],
  };

  it('is not offered in matches of several people', async () => {
    await sit(welcome());
    expect(session.canHint).toBe(false);
    server.socket.emit(people({ match: match({ practice: true }) }, [mine(0)]));
    expect(session.canHint).toBe(true);
  });

  it('needs a confirmation before the match becomes practice', async () => {
    await sit(welcome({ table: alone }));
    session.hint();
    expect(session.panel).toBe('hint');
    expect(server.socket.received).toEqual([]);
    void session.hintNow();
    expect(announcement()).toBe('The bot is thinking about it …');
    server.socket.emit({ type: 'hint', ask: 1, explanation });
    await vi.advanceTimersByTimeAsync(0);
    expect(session.hints.shown?.actions).toEqual([1]);
    expect(announcement()).toBe('The hint is here.');
  });

  it('is cleared after the decision', async () => {
    await sit(welcome({ table: alone }));
    void session.hintNow();
    server.socket.emit({ type: 'hint', ask: 1, explanation });
    await vi.advanceTimersByTimeAsync(0);
    server.socket.emit(people({ seats: alone.seats, match: match({ practice: true }) }, [mine(0)]));
    expect(session.hints.shown).not.toBeNull();
    server.socket.emit(decided([], [0], [mine(0, { turn: 1, staged: 1 })]));
    expect(session.hints.shown).toBeNull();
  });

  it('shows the reason if it is refused', async () => {
    await sit(welcome({ table: alone }));
    void session.hintNow();
    server.socket.emit({ type: 'hint', ask: 1, explanation: null, reason: { code: 'hint-among-people' } });
    await vi.advanceTimersByTimeAsync(0);
    expect(session.tableView.live?.refused?.code).toBe('hint-among-people');
  });
});

describe('the log', () => {
  it('is loaded once when it is opened, and continues with new events', async () => {
    await sit(welcome());
    expect(session.log).toBeNull();
    session.openLog();
    await vi.advanceTimersByTimeAsync(0);
    server.socket.emit(news({ moves: 2, events: [{ type: 'built' }] }));
    session.panel = null;
    server.socket.emit(news({ moves: 3, events: [{ type: 'ended' }] }));
    session.openLog();
    expect(session.log?.rounds.flat()).toEqual([{ type: 'begun' }, { type: 'built' }, { type: 'ended' }]);
    expect(asked.filter((what) => what.includes('events'))).toEqual(['x/0 events 0']);
  });

  it('is replaced for another match', async () => {
    await sit(welcome());
    session.openLog();
    const next = match({ number: 1 });
    server.socket.emit(welcome({ table: table({ match: next }), scene: scene({ match: next }) }));
    await vi.advanceTimersByTimeAsync(0);
    expect(asked.filter((what) => what.includes('events'))).toEqual(['x/0 events 0', 'x/1 events 0']);
  });
});

describe('a match without rules in this version', () => {
  const kept = match({ playable: false });

  it('is shown read-only', async () => {
    await sit(welcome({ table: table({ match: kept }), scene: scene({ match: kept, due: [], moves: 5 }), mine: [] }));
    expect(session.loader.ready).toBe(true);
    expect(session.tableView.playable).toBe(false);
    expect(session.tableView.seat).toBeNull();
    expect(session.tableView.focus).toBe(0);
    expect(session.canTakeBack).toBe(false);
    expect(session.canHint).toBe(false);
  });

  it('may have no view', async () => {
    await sit(welcome({ table: table({ match: kept }), scene: null, mine: [] }));
    expect(session.tableView.view).toBeNull();
    expect(session.tableView.match).toEqual(kept);
    expect(session.tableView.status).toEqual([]);
  });
});

it('two players at one screen alternate, and a hint is not passed on', async () => {
  await sit(welcome({ table: table({ yours: [0, 1] }), mine: [mine(0), mine(1)] }));
  server.socket.emit(decided([1], [0], [mine(0, { turn: 1, staged: 1 })]));
  expect(session.tableView.seat).toBeNull();
  expect(session.tableView.focus).toBe(1);
  const dropped = vi.spyOn(session.hints, 'clear');
  session.revealSeat();
  expect(session.tableView.seat).toBe(1);
  expect(session.tableView.focus).toBeNull();
  expect(dropped).toHaveBeenCalled();
  server.socket.emit(decided([0, 1], []), decided([0], [1], [mine(1, { staged: 1 })]));
  session.handBack();
  expect(server.socket.received.at(-1)).toMatchObject({ type: 'retract', seat: 1 });
});

it('notices when its seat moved to another device, not when it was left', async () => {
  await sit(welcome());
  server.socket.emit(people({ yours: [] }));
  expect(session.ownSeats.gone).toBe(0);
  server.socket.emit(people({ yours: [0] }));
  expect(session.ownSeats.gone).toBeNull();
  server.socket.emit(people({ yours: [], seats: [person(0, { kind: 'open' }), person(1)] }));
  expect(session.ownSeats.gone).toBeNull();
});

it('notices when the host has freed its seat, until it joins again', async () => {
  const open = people({ yours: [], seats: [person(0, { kind: 'open' }), person(1)] });
  await sit(welcome());
  server.socket.emit(open);
  expect(session.ownSeats.freed).toBe(true);
  session.change(0, { type: 'join', name: 'Ada' });
  server.socket.emit(people({ yours: [0] }));
  expect(session.ownSeats.freed).toBe(false);
  session.change(0, { type: 'leave' });
  server.socket.emit(open);
  expect(session.ownSeats.freed).toBe(false);
});

describe('the end of a match', () => {
  const over = match({ over: true });
  const result = { scores: [7, 3], ranks: [1, 2], sheets: [[], []] };

  it('is counted for viewers of the last move, then shows the result', async () => {
    await sit(welcome());
    expect(session.playing).toBe(true);
    server.socket.emit(news({ match: over, result, due: [], events: [{ type: 'ended' }] }));
    expect([session.matchEnd.showing, session.playing]).toEqual([true, true]);
    await vi.advanceTimersByTimeAsync(0);
    expect([counted?.totals, session.matchEnd.counting?.line]).toEqual([[7, 3], 'trees']);
    done();
    expect([session.matchEnd.showing, session.playing, counted?.stopped]).toEqual([false, false, true]);
    server.socket.emit(people({ match: over }));
    expect(session.matchEnd.showing).toBe(false);
    session.countAgain();
    expect(session.matchEnd.showing).toBe(true);
  });

  it('is not counted for later visitors', async () => {
    await sit(welcome({ table: table({ match: over }), scene: scene({ match: over, result, due: [] }) }));
    expect([session.matchEnd.showing, counted]).toEqual([false, null]);
  });

  it('stops when the next match begins or a move is taken back', async () => {
    await sit(welcome());
    server.socket.emit(news({ match: over, result, due: [] }));
    server.socket.emit(news({ back: true }));
    await vi.advanceTimersByTimeAsync(0);
    expect([session.matchEnd.showing, counted?.stopped]).toEqual([false, true]);
    server.socket.emit(news({ match: over, result, due: [] }));
    await vi.advanceTimersByTimeAsync(0);
    const next = match({ number: 1 });
    server.socket.emit(welcome({ table: table({ match: next }), scene: scene({ match: next }) }));
    expect([session.matchEnd.showing, session.matchEnd.counting]).toEqual([false, null]);
  });
});

describe('moves', () => {
  it('play sounds, and those of others are shown as lines', async () => {
    await sit(welcome());
    server.socket.emit(news({ moves: 2, events: [{ type: 'built', seat: 0 }] }));
    expect([felt, session.activity.now]).toEqual([['place'], null]);
    server.socket.emit(news({ moves: 3, events: [{ type: 'built', seat: 1 }] }));
    expect(session.activity.now).toEqual({ seat: 1, text: 'P0: built.' });
    server.socket.emit(news({ moves: 2, events: [{ type: 'built', seat: 1 }], back: true }));
    expect(felt).toEqual(['place', 'place']);
  });

  it('show a line when another bot stood in', async () => {
    await sit(welcome());
    server.socket.emit({ type: 'stood-in', seat: 1, bot: 'level-3', by: 'greedy' });
    expect(session.activity.now).toEqual({ seat: 1, text: 'Ada could not decide, so Gus played instead.' });
    expect(announcement()).toContain('so Gus played instead');
  });

  it('play a sound after a longer wait for the own turn', async () => {
    await sit(welcome());
    server.socket.emit(news({ due: [1] }));
    await vi.advanceTimersByTimeAsync(1_000);
    server.socket.emit(news({ due: [0, 1] }, [mine(0)]));
    expect(felt).toEqual([]);
    server.socket.emit(news({ due: [1] }));
    await vi.advanceTimersByTimeAsync(5_000);
    server.socket.emit(news({ due: [0] }, [mine(0)]));
    expect(felt).toEqual(['yours']);
  });
});
