import type { ConsentUpdate, Clocks, MatchInfo, SeatState, Scene, TableInfo, ToScreen } from '../../wire/server';

/** The seat of dice and cards, whose results players may enter. */
export const CHANCE = -1;

/** The state of a table, from the messages of the server. The view is authoritative; the client computes no rules. */
export interface TableState {
  readonly version: string | null;
  readonly table: TableInfo | null;
  /** The public state of the match; null before the first match, and if it cannot be shown. */
  readonly scene: Scene | null;
  /** The private information of the seats of this screen. */
  readonly mine: Readonly<Record<number, SeatState>>;
  /** An open request for consent, with the players who have not answered. */
  readonly asked: ConsentUpdate | null;
  /** The clocks of the seats; null if no clock runs. */
  readonly time: ReceivedClocks | null;
}

/** Clocks with the moment of `performance.now()` at which they arrived. */
export interface ReceivedClocks extends Clocks {
  readonly receivedAt: number;
}

export const INITIAL_STATE: TableState = { version: null, table: null, scene: null, mine: {}, asked: null, time: null };

/** Returns the state after a message. */
export function reduceTable(state: TableState, message: ToScreen, now = performance.now()): TableState {
  const next = reduceMessage(state, message);
  if (!('clocks' in message)) return next;
  return { ...next, time: message.clocks ? { ...message.clocks, receivedAt: now } : null };
}

function reduceMessage(state: TableState, message: ToScreen): TableState {
  switch (message.type) {
    case 'welcome': {
      const { version, table, scene, mine, asked } = message;
      return { version, table, scene, mine: bySeat(mine), asked, time: null };
    }
    case 'news': {
      const table = state.table && { ...state.table, match: message.scene.match };
      const asked = state.asked?.wish.type === 'change-pace' ? state.asked : null;
      return { ...state, table, scene: message.scene, mine: bySeat(message.mine), asked };
    }
    case 'decided': {
      const { due, decided, mine } = message;
      return { ...state, scene: state.scene && { ...state.scene, due, decided }, mine: merged(state, mine) };
    }
    case 'people':
      return { ...state, table: message.table, scene: renamed(state.scene, message.table), mine: bySeat(message.mine) };
    case 'yours':
    case 'refused':
      return { ...state, mine: merged(state, message.mine) };
    case 'asking':
      return { ...state, asked: message.waiting.length ? message : null };
    default:
      return state;
  }
}

/** The match on the table, whether or not it can be shown. */
export function matchOf({ table, scene }: TableState): MatchInfo | null {
  return scene?.match ?? table?.match ?? null;
}

/** The seats that this guest holds and plays, without those where a bot stands in. */
export function playedSeats(table: TableInfo): readonly number[] {
  return table.yours.filter((seat) => !table.seats[seat]?.bot);
}

/** A match can become practice without any other change. */
function renamed(scene: Scene | null, { match }: TableInfo): Scene | null {
  return scene && match?.number === scene.match.number ? { ...scene, match } : scene;
}

function bySeat(mine: readonly SeatState[]): Readonly<Record<number, SeatState>> {
  return Object.fromEntries(mine.map((part) => [part.seat, part]));
}

function merged(state: TableState, mine: readonly SeatState[]): Readonly<Record<number, SeatState>> {
  return mine.length ? { ...state.mine, ...bySeat(mine) } : state.mine;
}
