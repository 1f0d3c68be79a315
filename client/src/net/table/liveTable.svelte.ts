import type { AskFor, ScoreChange, Explanation, MatchInfo, SeatState, Reason, ToScreen } from '../../wire/server';
import type { Backend } from '../backend';
import { BACKEND } from '../currentBackend';
import { returned, revealed, nextSeat, NO_SEAT, type HotSeat } from './hotSeat';
import { PendingQuestions } from './pendingQuestions';
import { TableSocket, type Connection } from './socket';
import { reduceTable, CHANCE, matchOf, INITIAL_STATE, playedSeats, type TableState } from './tableState';

/** A bot may think this long before it gives a hint. */
const HINT_TIMEOUT_MILLISECONDS = 60_000;
const REFUSAL_MILLISECONDS = 5_000;
const NO_ANSWER: Reason = { code: 'no-answer' };

/** The outcome if one seat alone did an action now. */
export interface Outcome {
  /** The lines of its score sheet that would change. */
  readonly changes: readonly ScoreChange[];
  readonly events: readonly unknown[];
  /** The view after the action; null if it is illegal. */
  readonly view: unknown;
}

const NO_OUTCOME: Outcome = { changes: [], events: [], view: null };

/** The hint of a bot, or the reason why there is none. */
export interface Advice {
  readonly explanation: Explanation | null;
  readonly reason: Reason | null;
}

/** Possible chance moves; or, for one of them, the view and the legal actions after it. */
export interface Future {
  readonly lucks: readonly unknown[];
  readonly view: unknown;
  readonly choices: readonly unknown[];
}

const NO_FUTURE: Future = { lucks: [], view: null, choices: [] };

export const NO_ADVICE: Advice = { explanation: null, reason: null };

/** Observes the messages of a table. */
export interface TableObserver {
  /** Called after a message was applied. */
  received(message: ToScreen): void;
  connectionChanged(connection: Connection): void;
}

/** A table that follows the messages of the server. */
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

  /** Why the last request was refused. */
  get refused(): Reason | null {
    return this.#refused;
  }

  /** The seats that are played at this screen. */
  get ownSeats(): readonly number[] {
    return this.#state.table ? playedSeats(this.#state.table) : [];
  }

  /** The seats of this screen that have to decide. */
  get due(): readonly number[] {
    const due = this.#state.scene?.due ?? [];
    return this.ownSeats.filter((seat) => due.includes(seat));
  }

  /** The seat that uses the screen; null while the screen is passed on. */
  get seat(): number | null {
    return this.#hot.passTo === null ? this.#hot.seat : null;
  }

  /** The private information of this seat. */
  get mine(): SeatState | undefined {
    return this.seat === null ? undefined : this.#state.mine[this.seat];
  }

  /** The legal chance moves, if players enter them and one is due. */
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

  /** Asks a strong bot for a hint. */
  hint(): Promise<Advice> {
    return this.#ask('hint', NO_ADVICE, (ask, seat) => ({ type: 'ask-hint', ask, seat }), HINT_TIMEOUT_MILLISECONDS);
  }

  /** Returns the possible chance moves, or the actions that are legal after one of them. */
  foresee(luck: unknown = null): Promise<Future> {
    return this.#ask('foresee', NO_FUTURE, (ask, seat) => ({ type: 'foresee', ask, seat, luck }));
  }

  /** Prepares a decision for the case that a chance move happens. */
  prepare(luck: unknown, action: unknown): void {
    if (this.seat !== null) this.#socket.send({ type: 'prepare', seat: this.seat, luck, action });
  }

  forget(luck: unknown): void {
    if (this.seat !== null) this.#socket.send({ type: 'forget', seat: this.seat, luck });
  }

  askTakeback(): void {
    if (this.#hot.seat !== null) this.#socket.send({ type: 'ask-takeback', seat: this.#hot.seat });
  }

  /** Asks the other players for consent. */
  askFor(wish: AskFor['wish']): void {
    if (this.#speaker !== undefined) this.#socket.send({ type: 'ask-for', seat: this.#speaker, wish });
  }

  /** Gives more time to a player whose time is up. */
  giveTime(to: number): void {
    if (this.#speaker !== undefined) this.#socket.send({ type: 'give-time', seat: this.#speaker, to });
  }

  /** Any seat of this screen, for requests that concern none of them. */
  get #speaker(): number | undefined {
    return this.#hot.seat ?? this.ownSeats[0];
  }

  consent(yes: boolean): void {
    this.#socket.send({ type: 'consent', yes });
  }

  /** Hot-seat: the next player has the screen. */
  revealSeat(): void {
    this.#hot = revealed(this.#hot);
  }

  /** Hot-seat: the previous player changes the decision. */
  handBack(): void {
    this.#hot = returned(this.#hot);
    this.retract();
  }

  /** Shows a refusal for a while. */
  showRefusal(reason: Reason): void {
    this.#clearRefusal();
    this.#refused = reason;
    this.#refusalTimer = setTimeout(() => this.#clearRefusal(), REFUSAL_MILLISECONDS);
  }

  /** Reports whether the page is visible. The server assumes so until it hears otherwise. */
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

  /** Sends one message for a seat and then waits for its answer, so that a double click sends nothing twice. */
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

  /** The seats whose messages are unanswered after this one; changes of the people at the table are no answer. */
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

/** Opens a table of the current backend. */
export function liveTable(table: string, follower?: TableObserver): LiveTable {
  return new LiveTable(`/tables/${encodeURIComponent(table)}/socket`, BACKEND.connect, follower);
}
