import { dueSeats, statuses } from './standing';
import type { SeatStatus } from '../games/types';
import type { Change, Explanation, Reason, Refused, ToScreen } from '../wire/server';
import { Asks } from './asks';
import { handedBack, lifted, nextSeat, NOBODY, type HotSeat } from './hotseat';
import { TableSocket, type Connection, type Wire } from './socket';
import { CHANCE, NOTHING, playedSeats, told, type TableState } from './state';

/** A bot may think for a while before it advises, in milliseconds. */
const THINKING = 60_000;
const NO_ANSWER: Reason = { code: 'no-answer' };

/** A table as a page sees it: told by the server, followed by the screen. */
export class LiveTable {
  #state = $state.raw<TableState>(NOTHING);
  #hot = $state.raw<HotSeat>(NOBODY);
  #connection = $state<Connection>('joining');
  #refused = $state.raw<Refused | null>(null);
  #sent = $state.raw<ReadonlySet<number>>(new Set());
  #socket: TableSocket;
  #asks = new Asks();

  /** Heard after every piece of news has been taken in. */
  onnews: ((events: readonly unknown[], takeback: boolean) => void) | undefined;

  constructor(address: string, connect: (address: string) => Wire) {
    this.#socket = new TableSocket(
      address,
      {
        message: (message) => this.#hear(message),
        connection: (connection) => this.#connected(connection),
        since: () => this.#seen(),
      },
      connect,
    );
  }

  get state(): TableState {
    return this.#state;
  }

  get connection(): Connection {
    return this.#connection;
  }

  get hot(): HotSeat {
    return this.#hot;
  }

  get refused(): Refused | null {
    return this.#refused;
  }

  /** The seats that this screen plays. */
  get own(): readonly number[] {
    return this.#state.table ? playedSeats(this.#state.table) : [];
  }

  /** Those of them that have to decide. */
  get due(): readonly number[] {
    return this.#state.view ? dueSeats(this.#state.view, this.own, this.#state.decided) : [];
  }

  get status(): readonly SeatStatus[] {
    const { view, table, decided } = this.#state;
    return view && table ? statuses(view, table.seats, decided) : [];
  }

  /** The seat on the screen now; nobody's while it is being passed on. */
  get seat(): number | null {
    return this.#hot.passTo === null ? this.#hot.seat : null;
  }

  /** What the dice or cards may show, where people type it in and it is time to. */
  get luck(): readonly unknown[] {
    return this.#state.mine[CHANCE]?.choices ?? [];
  }

  typeIn(luck: unknown): void {
    this.#tell(CHANCE, (seat, turn) => ({ type: 'act', seat, turn, action: luck }));
  }

  act(action: unknown): void {
    this.#tell(this.seat, (seat, turn) => ({ type: 'act', seat, turn, action }));
  }

  retract(): void {
    this.#tell(this.seat, (seat, turn) => ({ type: 'retract', seat, turn }));
  }

  why(action: unknown): Promise<Reason | null> {
    const seat = this.seat;
    if (seat === null) return Promise.resolve(NO_ANSWER);
    return this.#asks.ask<Reason | null>('why', NO_ANSWER, (ask) =>
      this.#socket.send({ type: 'why', ask, seat, action }),
    );
  }

  preview(action: unknown): Promise<readonly Change[]> {
    const seat = this.seat;
    if (seat === null) return Promise.resolve([]);
    return this.#asks.ask<readonly Change[]>('preview', [], (ask) =>
      this.#socket.send({ type: 'preview', ask, seat, action }),
    );
  }

  /** What a good bot would do in this seat, and why; null if that cannot be had. */
  hint(): Promise<Explanation | null> {
    const seat = this.seat;
    if (seat === null) return Promise.resolve(null);
    const ask = (ask: number): boolean => this.#socket.send({ type: 'ask-hint', ask, seat });
    return this.#asks.ask<Explanation | null>('hint', null, ask, THINKING);
  }

  askTakeback(): void {
    if (this.#hot.seat !== null) this.#socket.send({ type: 'ask-takeback', seat: this.#hot.seat });
  }

  consent(yes: boolean): void {
    this.#socket.send({ type: 'consent', yes });
  }

  /** Hot-seat: the next one is here. */
  lift(): void {
    this.#hot = lifted(this.#hot);
  }

  /** Hot-seat: the one before thinks again. */
  handBack(): void {
    this.#hot = handedBack(this.#hot);
    this.retract();
  }

  forgive(): void {
    this.#refused = null;
  }

  hurry(): void {
    this.#socket.hurry();
  }

  close(): void {
    this.#socket.close();
    this.#asks.giveUp();
  }

  /** A seat speaks once and then listens, so that a double click says nothing twice. */
  #tell(seat: number | null, message: (seat: number, turn: number) => Parameters<TableSocket['send']>[0]): void {
    const mine = seat === null ? undefined : this.#state.mine[seat];
    if (!mine || this.#sent.has(mine.seat)) return;
    if (this.#socket.send(message(mine.seat, mine.turn))) {
      this.#sent = new Set([...this.#sent, mine.seat]);
      this.#refused = null;
    }
  }

  #seen(): { number: number; match: number } | null {
    const { number, match } = this.#state;
    return number === null || !match ? null : { number, match: match.number };
  }

  #hear(message: ToScreen): void {
    if (message.type === 'because') this.#asks.answer(message.ask, message.reason);
    else if (message.type === 'previewed') this.#asks.answer(message.ask, message.changes);
    else if (message.type === 'hint') this.#asks.answer(message.ask, message.explanation);
    else if (message.type === 'refused') {
      this.#refused = message;
      this.#heardFor(message.seat);
    } else {
      this.#state = told(this.#state, message);
      if (message.type === 'mine') this.#heardFor(message.seat);
      if (message.type === 'news') this.#sent = new Set();
      this.#follow();
      if (message.type === 'news') this.onnews?.(message.events, message.takeback ?? false);
    }
  }

  #heardFor(seat: number): void {
    this.#sent = new Set([...this.#sent].filter((one) => one !== seat));
  }

  #follow(): void {
    this.#hot = nextSeat(this.#hot, this.own, this.due);
  }

  #connected(connection: Connection): void {
    this.#connection = connection;
    if (connection !== 'open') {
      this.#sent = new Set();
      this.#asks.giveUp();
    }
  }
}

/** The socket of the browser for a table of this server. */
export function liveTable(table: string): LiveTable {
  const address = `${location.origin.replace(/^http/, 'ws')}/api/tables/${encodeURIComponent(table)}/socket`;
  return new LiveTable(address, (to) => new WebSocket(to) as unknown as Wire);
}
