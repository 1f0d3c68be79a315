import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NO_TABLE, UNREADABLE, WRONG_ORIGIN } from '../../wire/closeCodes';
import type { ToScreen } from '../../wire/server';
import { FakeServer, welcome } from './fakeServer';
import { backoff, TableSocket, type Connection } from './socket';

let server: FakeServer;
let heard: ToScreen[];
let connections: Connection[];
let since: { number: number; match: number } | null;
let socket: TableSocket;

beforeEach(() => {
  vi.useFakeTimers();
  [server, heard, connections, since] = [new FakeServer(), [], [], null];
  socket = new TableSocket(
    'ws://here/socket',
    { message: (message) => heard.push(message), connection: (to) => connections.push(to), since: () => since },
    server.connect,
  );
});

afterEach(() => {
  socket.close();
  vi.useRealTimers();
});

describe('the socket', () => {
  it('passes messages on', () => {
    server.socket.open(welcome());
    expect(connections).toEqual(['open']);
    expect(heard).toEqual([welcome()]);
  });

  it('requests all at first, and missed scenes later', () => {
    expect(server.socket.address).toBe('ws://here/socket');
    server.socket.open();
    since = { number: 42, match: 1 };
    server.socket.drop();
    vi.advanceTimersByTime(1000);
    expect(server.sockets).toHaveLength(2);
    expect(server.socket.address).toBe('ws://here/socket?since=42&match=1');
  });

  it('waits longer after each failure and starts over after a success', () => {
    const waits: number[] = [];
    for (let tries = 0; tries < 4; tries++) {
      const before = server.sockets.length;
      server.socket.drop();
      let waited = 0;
      while (server.sockets.length === before) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits[3]).toBeGreaterThan(waits[0]! * 3);
    server.socket.open(welcome());
    server.socket.drop();
    vi.advanceTimersByTime(700);
    expect(server.sockets).toHaveLength(6);
  });

  it('never waits longer than twenty seconds', () => expect(backoff(30, 1)).toBeLessThan(20_000));

  it('sends nothing into a closed connection, and queues nothing', () => {
    expect(socket.send({ type: 'consent', yes: true })).toBe(false);
    server.socket.open();
    expect(socket.send({ type: 'consent', yes: true })).toBe(true);
    server.socket.drop();
    expect(socket.send({ type: 'consent', yes: true })).toBe(false);
    vi.advanceTimersByTime(1000);
    server.socket.open();
    expect(server.socket.received).toEqual([]);
  });

  it.each([
    [NO_TABLE, 'no-table'],
    [UNREADABLE, 'unreadable'],
    [WRONG_ORIGIN, 'refused'],
  ])('gives up on close code %i', (code, expected) => {
    server.socket.drop(code);
    vi.advanceTimersByTime(60_000);
    expect(connections).toEqual([expected]);
    expect(server.sockets).toHaveLength(1);
  });

  it('reconnects at once on request, unless it is connected', () => {
    socket.reconnectNow();
    expect(server.sockets).toHaveLength(1);
    server.socket.drop();
    socket.reconnectNow();
    expect(server.sockets).toHaveLength(2);
    vi.advanceTimersByTime(60_000);
    expect(server.sockets).toHaveLength(2);
  });

  it('does nothing after it was closed', () => {
    const wire = server.socket;
    wire.open();
    socket.close();
    wire.emit(welcome());
    wire.drop();
    vi.advanceTimersByTime(60_000);
    expect(wire.closed).toBe(true);
    expect(heard).toEqual([]);
    expect(server.sockets).toHaveLength(1);
  });
});
