import type { Asking, Clocks, MatchInfo, Mine, Scene, TableInfo, ToScreen } from '../../wire/server';

/** The seat of the dice and cards, where people type them in. */
export const CHANCE = -1;

/** All that the server has said about a table. The view is the truth; nothing here is computed from rules. */
export interface TableState {
  readonly version: string | null;
  readonly table: TableInfo | null;
  /** What everybody may know of the match; null before the first one, and where it cannot be shown. */
  readonly scene: Scene | null;
  /** What only the seats of this screen may know. */
  readonly mine: Readonly<Record<number, Mine>>;
  /** What somebody asks for, and who has not answered. */
  readonly asked: Asking | null;
  /** How much time all have, and when that was told; null where no clock runs. */
  readonly time: ReceivedClocks | null;
}

/** Clocks as they were at a moment of the clock here that only goes forward, in milliseconds. */
export interface ReceivedClocks extends Clocks {
  readonly receivedAt: number;
}

export const INITIAL_STATE: TableState = { version: null, table: null, scene: null, mine: {}, asked: null, time: null };

/** The state after a message. One message is one change. */
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

/** The seats that this guest holds and plays, without those where a bot plays in. */
export function playedSeats(table: TableInfo): readonly number[] {
  return table.yours.filter((seat) => !table.seats[seat]?.bot);
}

/** A match may become practice while nothing else happens in it. */
function renamed(scene: Scene | null, { match }: TableInfo): Scene | null {
  return scene && match?.number === scene.match.number ? { ...scene, match } : scene;
}

function bySeat(mine: readonly Mine[]): Readonly<Record<number, Mine>> {
  return Object.fromEntries(mine.map((part) => [part.seat, part]));
}

function merged(state: TableState, mine: readonly Mine[]): Readonly<Record<number, Mine>> {
  return mine.length ? { ...state.mine, ...bySeat(mine) } : state.mine;
}
