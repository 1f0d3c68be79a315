import type { AskFor, Change, Explanation, MatchInfo, Mine, Reason, ToScreen } from '../../wire/server';
import type { Backend } from '../backend';
import { BACKEND } from '../currentBackend';
import { returned, revealed, nextSeat, NO_SEAT, type HotSeat } from './hotSeat';
import { PendingQuestions } from './pendingQuestions';
import { TableSocket, type Connection } from './socket';
import { reduceTable, CHANCE, matchOf, INITIAL_STATE, playedSeats, type TableState } from './tableState';

/** A bot may think for a while before it advises, in milliseconds. */
const HINT_TIMEOUT_MILLISECONDS = 60_000;
/** A refusal can be read for so long, in milliseconds. */
const REFUSAL_MILLISECONDS = 5_000;
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
export interface TableObserver {
  /** A message, after it has been taken in. */
  received(message: ToScreen): void;
  connectionChanged(connection: Connection): void;
}

/** A table as a page sees it: the server speaks, the screen follows. */
export class LiveTable {
  #state = $state.raw<TableState>(INITIAL_STATE);
  #hot = $state.raw<HotSeat>(NO_SEAT);
  #connection = $state<Connection>('joining');
  #refused = $state.raw<Reason | null>(null);
  #sent: ReadonlySet<number> = new Set();
  #socket: TableSocket;
  #questions = new PendingQuestions();
  #visible = true;
  #refusalTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    address: string,
    connect: Backend['connect'],
    private readonly observer?: TableObserver,
  ) {
    this.#socket = new TableSocket(
      address,
      {
        message: (message) => this.#receive(message),
        connection: (connection) => this.#connected(connection),
        since: () => this.#lastScene(),
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

  get hotSeat(): HotSeat {
    return this.#hot;
  }

  /** Why the last wish was not granted. */
  get refused(): Reason | null {
    return this.#refused;
  }

  /** The seats that this screen plays. */
  get ownSeats(): readonly number[] {
    return this.#state.table ? playedSeats(this.#state.table) : [];
  }

  /** Those of them that have to decide. */
  get due(): readonly number[] {
    const due = this.#state.scene?.due ?? [];
    return this.ownSeats.filter((seat) => due.includes(seat));
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
    this.#sendOnce(CHANCE, (seat, turn) => ({ type: 'act', seat, turn, action: luck }));
  }

  act(action: unknown): void {
    this.#sendOnce(this.seat, (seat, turn) => ({ type: 'act', seat, turn, action }));
  }

  retract(): void {
    this.#sendOnce(this.seat, (seat, turn) => ({ type: 'retract', seat, turn }));
  }

  why(action: unknown): Promise<Reason | null> {
    return this.#ask<Reason | null>('why', NO_ANSWER, (ask, seat) => ({ type: 'why', ask, seat, action }));
  }

  preview(action: unknown): Promise<Outcome> {
    return this.#ask('preview', NO_OUTCOME, (ask, seat) => ({ type: 'preview', ask, seat, action }));
  }

  /** What a good bot would do in this seat, and why. */
  hint(): Promise<Advice> {
    return this.#ask('hint', NO_ADVICE, (ask, seat) => ({ type: 'ask-hint', ask, seat }), HINT_TIMEOUT_MILLISECONDS);
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
    return this.#hot.seat ?? this.ownSeats[0];
  }

  consent(yes: boolean): void {
    this.#socket.send({ type: 'consent', yes });
  }

  /** Hot-seat: the next one is here. */
  revealSeat(): void {
    this.#hot = revealed(this.#hot);
  }

  /** Hot-seat: the one before thinks again. */
  handBack(): void {
    this.#hot = returned(this.#hot);
    this.retract();
  }

  /** Says for a while why a wish is not granted. */
  showRefusal(reason: Reason): void {
    this.#clearRefusal();
    this.#refused = reason;
    this.#refusalTimer = setTimeout(() => this.#clearRefusal(), REFUSAL_MILLISECONDS);
  }

  /** Whether the page is before somebody's eyes. A table takes that for granted until it hears otherwise. */
  setVisible(here: boolean): void {
    if (here !== this.#visible && this.#socket.send({ type: 'look', here })) this.#visible = here;
  }

  reconnectNow(): void {
    this.#socket.reconnectNow();
  }

  close(): void {
    this.#socket.close();
    this.#questions.cancelAll();
    this.#clearRefusal();
  }

  #clearRefusal(): void {
    clearTimeout(this.#refusalTimer);
    this.#refused = null;
  }

  /** A seat speaks once and then listens, so that a double click says nothing twice. */
  #sendOnce(seat: number | null, message: (seat: number, turn: number) => Parameters<TableSocket['send']>[0]): void {
    const mine = seat === null ? undefined : this.#state.mine[seat];
    if (!mine || this.#sent.has(mine.seat)) return;
    if (this.#socket.send(message(mine.seat, mine.turn))) {
      this.#sent = new Set([...this.#sent, mine.seat]);
      this.#clearRefusal();
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
    return this.#questions.ask(kind, fallback, (ask) => this.#socket.send(message(ask, seat)), patience);
  }

  #lastScene(): { number: number; match: number } | null {
    const { scene } = this.#state;
    return scene && { number: scene.number, match: scene.match.number };
  }

  #receive(message: ToScreen): void {
    switch (message.type) {
      case 'because':
        return this.#questions.answer(message.ask, message.reason);
      case 'previewed': {
        const { changes, events, view } = message;
        return this.#questions.answer(message.ask, { changes, events, view } satisfies Outcome);
      }
      case 'foreseen': {
        const { lucks, view = null, choices = [] } = message;
        return this.#questions.answer(message.ask, { lucks, view, choices } satisfies Future);
      }
      case 'hint': {
        const { explanation, reason = null } = message;
        return this.#questions.answer(message.ask, { explanation, reason } satisfies Advice);
      }
      default:
        this.#apply(message);
    }
  }

  #apply(message: ToScreen): void {
    this.#state = reduceTable(this.#state, message);
    this.#sent = this.#unanswered(message);
    if (message.type === 'refused') this.showRefusal(message.reason);
    this.#hot = nextSeat(this.#hot, this.ownSeats, this.due, this.#state.scene?.decided);
    this.observer?.received(message);
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
    this.#visible = true;
    if (connection !== 'open') {
      this.#sent = new Set();
      this.#questions.cancelAll();
    }
    this.observer?.connectionChanged(connection);
  }
}

/** A table of the house. */
export function liveTable(table: string, follower?: TableObserver): LiveTable {
  return new LiveTable(`/tables/${encodeURIComponent(table)}/socket`, BACKEND.connect, follower);
}
