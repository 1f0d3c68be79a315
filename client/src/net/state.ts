import type { MatchInfo, Mine, Scene, TableInfo, TakebackAsked, ToScreen } from '../wire/server';

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
  readonly takeback: TakebackAsked | null;
}

export const NOTHING: TableState = { version: null, table: null, scene: null, mine: {}, takeback: null };

/** The state after a message. One message is one change. */
export function after(state: TableState, message: ToScreen): TableState {
  switch (message.type) {
    case 'welcome': {
      const { version, table, scene, mine, takeback } = message;
      return { version, table, scene, mine: bySeat(mine), takeback };
    }
    case 'news': {
      const table = state.table && { ...state.table, match: message.scene.match };
      return { ...state, table, scene: message.scene, mine: bySeat(message.mine), takeback: null };
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
    case 'takeback-asked':
      return { ...state, takeback: message.waiting.length ? message : null };
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
