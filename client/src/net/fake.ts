import type { FromScreen, MatchInfo, Mine, News, SeatInfo, TableInfo, ToScreen } from '../wire/server';
import type { Wire } from './socket';

/** A server at the other end of the wire, for tests. */
export class FakeServer {
  wires: FakeWire[] = [];
  connect = (address: string): Wire => {
    const wire = new FakeWire(address);
    this.wires.push(wire);
    return wire;
  };

  get wire(): FakeWire {
    const last = this.wires.at(-1);
    if (!last) throw new Error('nobody has connected');
    return last;
  }
}

export class FakeWire implements Wire {
  onopen: Wire['onopen'] = null;
  onmessage: Wire['onmessage'] = null;
  onclose: Wire['onclose'] = null;
  heard: FromScreen[] = [];
  closed = false;

  constructor(readonly address: string) {}

  send(text: string): void {
    this.heard.push(JSON.parse(text) as FromScreen);
  }

  close(): void {
    this.closed = true;
  }

  open(...messages: ToScreen[]): void {
    this.onopen?.();
    this.say(...messages);
  }

  say(...messages: ToScreen[]): void {
    for (const message of messages) this.onmessage?.({ data: JSON.stringify(message) });
  }

  drop(code = 1006): void {
    this.onclose?.({ code });
  }
}

export const match = (more: Partial<MatchInfo> = {}): MatchInfo => ({
  number: 0,
  setup: {},
  commitment: 'c0',
  practice: false,
  over: false,
  seed: null,
  ...more,
});

export const person = (seat: number, more: Partial<SeatInfo> = {}): SeatInfo => ({
  seat,
  name: `P${seat}`,
  kind: 'person',
  bot: null,
  online: true,
  city: null,
  animal: null,
  ...more,
});

export const table = (more: Partial<TableInfo> = {}): TableInfo => ({
  table: 'x',
  game: 'mycity',
  chosen_seed: null,
  seats: [person(0), person(1)],
  yours: [0],
  match: match(),
  matches: 1,
  luck: 'dealt',
  plan: [],
  standings: null,
  ...more,
});

export const view = (acting: readonly number[] = [0, 1], over = false): unknown => ({
  table: { acting, over, result: { scores: [0, 0], ranks: [1, 1], sheets: [[], []] } },
  seat: null,
  choices: [],
});

export const welcome = (more: Partial<TableInfo> = {}): ToScreen => ({
  type: 'welcome',
  version: '0',
  table: table(more),
});

export const news = (more: Partial<News> = {}): News => ({
  type: 'news',
  match: match(),
  number: 1,
  moves: 1,
  events: [],
  view: view(),
  decided: [],
  takeback: false,
  ...more,
});

export const mine = (seat: number, more: Partial<Mine> = {}): Mine => ({
  type: 'mine',
  seat,
  turn: 0,
  choices: [{ type: 'pass' }],
  staged: null,
  free: false,
  ...more,
});
