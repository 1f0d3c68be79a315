import type { AskFor, Change, Explanation, MatchInfo, Mine, Reason, ToScreen } from '../../wire/server';
import type { House } from '../backend';
import { HOUSE } from '../currentBackend';
import { handedBack, lifted, nextSeat, NOBODY, type HotSeat } from './hotSeat';
import { Asks } from './pendingQuestions';
import { TableSocket, type Connection } from './socket';
import { after, CHANCE, matchOf, NOTHING, playedSeats, type TableState } from './tableState';

/** A bot may think for a while before it advises, in milliseconds. */
const THINKING = 60_000;
/** A refusal can be read for so long, in milliseconds. */
const REFUSED = 5_000;
const NO_ANSWER: Reason = { code: 'no-answer' };

/** What would happen if a seat alone did something now. */
export interface Outcome {
  /** The lines of its score sheet that would change. */
  readonly changes: readonly Change[];
  readonly events: readonly unknown[];
  /** The view after it; null where it is not possible. */
  readonly view: unknown;
}

const NO_OUTCOME: Outcome = { changes: [], events: [], view: null };

/** What a bot advises; or why it does not. */
export interface Advice {
  readonly explanation: Explanation | null;
  readonly reason: Reason | null;
}

/** What may come, or how it would look then and what could be done. */
export interface Future {
  readonly lucks: readonly unknown[];
  readonly view: unknown;
  readonly choices: readonly unknown[];
}

const NO_FUTURE: Future = { lucks: [], view: null, choices: [] };

export const NO_ADVICE: Advice = { explanation: null, reason: null };

/** Whoever wants to hear more than how it stands. */
export interface Follower {
  /** A message, after it has been taken in. */
  heard(message: ToScreen): void;
  connected(connection: Connection): void;
}

/** A table as a page sees it: the server speaks, the screen follows. */
export class LiveTable {
  #state = $state.raw<TableState>(NOTHING);
  #hot = $state.raw<HotSeat>(NOBODY);
  #connection = $state<Connection>('joining');
  #refused = $state.raw<Reason | null>(null);
  #sent: ReadonlySet<number> = new Set();
  #socket: TableSocket;
  #asks = new Asks();
  #looking = true;
  #forgiving: ReturnType<typeof setTimeout> | undefined;

  constructor(
    address: string,
    connect: House['connect'],
    private readonly follower?: Follower,
  ) {
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

  get match(): MatchInfo | null {
    return matchOf(this.#state);
  }

  get connection(): Connection {
    return this.#connection;
  }

  get hot(): HotSeat {
    return this.#hot;
  }

  /** Why the last wish was not granted. */
  get refused(): Reason | null {
    return this.#refused;
  }

  /** The seats that this screen plays. */
  get own(): readonly number[] {
    return this.#state.table ? playedSeats(this.#state.table) : [];
  }

  /** Those of them that have to decide. */
  get due(): readonly number[] {
    const due = this.#state.scene?.due ?? [];
    return this.own.filter((seat) => due.includes(seat));
  }

  /** The seat on the screen now; nobody's while it is being passed on. */
  get seat(): number | null {
    return this.#hot.passTo === null ? this.#hot.seat : null;
  }

  /** What only this seat may know. */
  get mine(): Mine | undefined {
    return this.seat === null ? undefined : this.#state.mine[this.seat];
  }

  /** What the dice or cards may show, where people type it in and it is time to. */
  get luck(): readonly unknown[] {
    return this.#state.mine[CHANCE]?.choices ?? [];
  }

  typeIn(luck: unknown): void {
    this.#say(CHANCE, (seat, turn) => ({ type: 'act', seat, turn, action: luck }));
  }

  act(action: unknown): void {
    this.#say(this.seat, (seat, turn) => ({ type: 'act', seat, turn, action }));
  }

  retract(): void {
    this.#say(this.seat, (seat, turn) => ({ type: 'retract', seat, turn }));
  }

  why(action: unknown): Promise<Reason | null> {
    return this.#ask<Reason | null>('why', NO_ANSWER, (ask, seat) => ({ type: 'why', ask, seat, action }));
  }

  preview(action: unknown): Promise<Outcome> {
    return this.#ask('preview', NO_OUTCOME, (ask, seat) => ({ type: 'preview', ask, seat, action }));
  }

  /** What a good bot would do in this seat, and why. */
  hint(): Promise<Advice> {
    return this.#ask('hint', NO_ADVICE, (ask, seat) => ({ type: 'ask-hint', ask, seat }), THINKING);
  }

  /** What may come; or, given that, what could be done then. */
  foresee(luck: unknown = null): Promise<Future> {
    return this.#ask('foresee', NO_FUTURE, (ask, seat) => ({ type: 'foresee', ask, seat, luck }));
  }

  /** If this comes, this is decided. */
  prepare(luck: unknown, action: unknown): void {
    if (this.seat !== null) this.#socket.send({ type: 'prepare', seat: this.seat, luck, action });
  }

  forget(luck: unknown): void {
    if (this.seat !== null) this.#socket.send({ type: 'forget', seat: this.seat, luck });
  }

  askTakeback(): void {
    if (this.#hot.seat !== null) this.#socket.send({ type: 'ask-takeback', seat: this.#hot.seat });
  }

  /** Something that others have to agree to. */
  askFor(wish: AskFor['wish']): void {
    if (this.#speaker !== undefined) this.#socket.send({ type: 'ask-for', seat: this.#speaker, wish });
  }

  /** Waits for somebody whose time is up. */
  giveTime(to: number): void {
    if (this.#speaker !== undefined) this.#socket.send({ type: 'give-time', seat: this.#speaker, to });
  }

  /** Any seat of this screen, for what is not about one of them. */
  get #speaker(): number | undefined {
    return this.#hot.seat ?? this.own[0];
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

  /** Says for a while why a wish is not granted. */
  refuse(reason: Reason): void {
    this.#forgive();
    this.#refused = reason;
    this.#forgiving = setTimeout(() => this.#forgive(), REFUSED);
  }

  /** Whether the page is before somebody's eyes. A table takes that for granted until it hears otherwise. */
  look(here: boolean): void {
    if (here !== this.#looking && this.#socket.send({ type: 'look', here })) this.#looking = here;
  }

  hurry(): void {
    this.#socket.hurry();
  }

  close(): void {
    this.#socket.close();
    this.#asks.giveUp();
    this.#forgive();
  }

  #forgive(): void {
    clearTimeout(this.#forgiving);
    this.#refused = null;
  }

  /** A seat speaks once and then listens, so that a double click says nothing twice. */
  #say(seat: number | null, message: (seat: number, turn: number) => Parameters<TableSocket['send']>[0]): void {
    const mine = seat === null ? undefined : this.#state.mine[seat];
    if (!mine || this.#sent.has(mine.seat)) return;
    if (this.#socket.send(message(mine.seat, mine.turn))) {
      this.#sent = new Set([...this.#sent, mine.seat]);
      this.#forgive();
    }
  }

  #ask<Answer>(
    kind: string,
    fallback: Answer,
    message: (ask: number, seat: number) => Parameters<TableSocket['send']>[0],
    patience?: number,
  ): Promise<Answer> {
    const seat = this.seat;
    if (seat === null) return Promise.resolve(fallback);
    return this.#asks.ask(kind, fallback, (ask) => this.#socket.send(message(ask, seat)), patience);
  }

  #seen(): { number: number; match: number } | null {
    const { scene } = this.#state;
    return scene && { number: scene.number, match: scene.match.number };
  }

  #hear(message: ToScreen): void {
    switch (message.type) {
      case 'because':
        return this.#asks.answer(message.ask, message.reason);
      case 'previewed': {
        const { changes, events, view } = message;
        return this.#asks.answer(message.ask, { changes, events, view } satisfies Outcome);
      }
      case 'foreseen': {
        const { lucks, view = null, choices = [] } = message;
        return this.#asks.answer(message.ask, { lucks, view, choices } satisfies Future);
      }
      case 'hint': {
        const { explanation, reason = null } = message;
        return this.#asks.answer(message.ask, { explanation, reason } satisfies Advice);
      }
      default:
        this.#take(message);
    }
  }

  #take(message: ToScreen): void {
    this.#state = after(this.#state, message);
    this.#sent = this.#unanswered(message);
    if (message.type === 'refused') this.refuse(message.reason);
    this.#hot = nextSeat(this.#hot, this.own, this.due, this.#state.scene?.decided);
    this.follower?.heard(message);
  }

  /** The seats that have spoken and were not answered yet; who comes and goes is no answer. */
  #unanswered(message: ToScreen): ReadonlySet<number> {
    if (message.type === 'news' || message.type === 'welcome') return new Set();
    if (message.type !== 'decided' && message.type !== 'yours' && message.type !== 'refused') return this.#sent;
    const answered = message.mine.map(({ seat }) => seat);
    if (message.type === 'refused') answered.push(message.seat);
    return new Set([...this.#sent].filter((seat) => !answered.includes(seat)));
  }

  #connected(connection: Connection): void {
    this.#connection = connection;
    this.#looking = true;
    if (connection !== 'open') {
      this.#sent = new Set();
      this.#asks.giveUp();
    }
    this.follower?.connected(connection);
  }
}

/** A table of the house. */
export function liveTable(table: string, follower?: Follower): LiveTable {
  return new LiveTable(`/tables/${encodeURIComponent(table)}/socket`, HOUSE.connect, follower);
}
