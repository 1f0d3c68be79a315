import type { MatchInfo, Mine, TableInfo, TakebackAsked, ToScreen } from '../wire/server';

/** The seat of the dice and cards, where people type them in. */
export const CHANCE = -1;

/** All that the server has told about a table. The view is the truth; nothing here is computed from rules. */
export interface TableState {
  readonly version: string | null;
  readonly table: TableInfo | null;
  readonly match: MatchInfo | null;
  readonly number: number | null;
  readonly moves: number;
  readonly view: unknown;
  /** What just happened, for the eye and the ear. */
  readonly events: readonly unknown[];
  readonly decided: readonly number[];
  readonly mine: Readonly<Record<number, Mine>>;
  readonly takeback: TakebackAsked | null;
}

export const NOTHING: TableState = {
  version: null,
  table: null,
  match: null,
  number: null,
  moves: 0,
  view: null,
  events: [],
  decided: [],
  mine: {},
  takeback: null,
};

export function told(state: TableState, message: ToScreen): TableState {
  switch (message.type) {
    case 'welcome':
      return { ...state, version: message.version, ...seated(state, message.table), takeback: null };
    case 'people':
      return { ...state, ...seated(state, message.table), match: message.table.match ?? state.match };
    case 'news':
      return {
        ...state,
        match: message.match,
        number: message.number,
        moves: message.moves,
        view: message.view,
        events: message.events,
        decided: message.decided,
        mine: {},
        table: state.table && { ...state.table, match: message.match },
      };
    case 'decided':
      return { ...state, decided: message.seats };
    case 'mine':
      return { ...state, mine: { ...state.mine, [message.seat]: message } };
    case 'takeback-asked':
      return { ...state, takeback: message.waiting.length ? message : null };
    default:
      return state;
  }
}

/** Somebody else's decision is nobody's: what was told for a seat is forgotten with the seat. */
function seated(state: TableState, table: TableInfo): Pick<TableState, 'table' | 'mine'> {
  const played = playedSeats(table);
  const kept = (seat: number): boolean => (seat === CHANCE ? played.length > 0 : played.includes(seat));
  const mine = Object.fromEntries(Object.entries(state.mine).filter(([seat]) => kept(Number(seat))));
  return { table, mine };
}

/** The seats that this guest holds and plays, without those where a bot plays in. */
export function playedSeats(table: TableInfo): readonly number[] {
  return table.yours.filter((seat) => !table.seats[seat]?.bot);
}
