import type {
  SeatDecided,
  FromScreen,
  MatchInfo,
  SeatState,
  MatchChanged,
  TableChanged,
  Scene,
  SeatInfo,
  TableInfo,
  ToScreen,
  Welcome,
} from '../../wire/server';
import type { BackendSocket } from '../backend';

/** A fake server for tests. */
export class FakeServer {
  sockets: FakeSocket[] = [];
  connect = (address: string): BackendSocket => {
    const wire = new FakeSocket(address);
    this.sockets.push(wire);
    return wire;
  };

  get socket(): FakeSocket {
    const last = this.sockets.at(-1);
    if (!last) throw new Error('no connection');
    return last;
  }
}

export class FakeSocket implements BackendSocket {
  onopen: BackendSocket['onopen'] = null;
  onmessage: BackendSocket['onmessage'] = null;
  onclose: BackendSocket['onclose'] = null;
  received: FromScreen[] = [];
  closed = false;

  constructor(readonly address: string) {}

  send(text: string): void {
    this.received.push(JSON.parse(text) as FromScreen);
  }

  close(): void {
    this.closed = true;
  }

  open(...messages: ToScreen[]): void {
    this.onopen?.();
    this.emit(...messages);
  }

  emit(...messages: ToScreen[]): void {
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
  playable: true,
  seed: null,
  ...more,
});

export const person = (seat: number, more: Partial<SeatInfo> = {}): SeatInfo => ({
  seat,
  name: `P${seat}`,
  kind: 'person',
  bot: null,
  online: true,
  replaceable: false,
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
  due: [],
  matches: 1,
  luck: 'dealt',
  plan: [],
  standings: null,
  changed: 0,
  onlookers: 0,
  maker: null,
  pace: { type: 'unhurried' },
  ...more,
});

export const scene = (more: Partial<Scene> = {}): Scene => ({
  match: match(),
  number: 1,
  moves: 1,
  events: [],
  view: {},
  due: [0, 1],
  decided: [],
  result: { scores: [0, 0], ranks: [1, 1], sheets: [[], []] },
  standings: null,
  lasting: false,
  ...more,
});

export const mine = (seat: number, more: Partial<SeatState> = {}): SeatState => ({
  seat,
  turn: 0,
  choices: [{ type: 'pass' }],
  staged: null,
  free: false,
  played: false,
  barred: [],
  ...more,
});

export const welcome = (more: Partial<Omit<Welcome, 'type'>> = {}): Welcome => ({
  type: 'welcome',
  version: '0',
  table: table(),
  scene: scene(),
  mine: [mine(0)],
  asked: null,
  ...more,
});

export const news = (more: Partial<Scene> = {}, own: readonly SeatState[] = []): MatchChanged => ({
  type: 'news',
  scene: scene(more),
  mine: own,
});

export const decided = (
  due: readonly number[],
  by: readonly number[],
  own: readonly SeatState[] = [],
): SeatDecided => ({
  type: 'decided',
  due,
  decided: by,
  mine: own,
});

export const people = (more: Partial<TableInfo> = {}, own: readonly SeatState[] = []): TableChanged => ({
  type: 'people',
  table: table(more),
  mine: own,
});
