import type { Cell } from '../../../board/geometry/cells';
import { t } from '../../../i18n/index.svelte';
import { announce } from '../../../lib/page/announcer.svelte';
import type { Action, Flip, LineUp, Offer, Pay, PickToken, TableView, Take } from '../../../wire/pointcity';
import type { ScoreChange } from '../../../wire/server';
import type { GameScreenProps } from '../../types';
import { reason as inWords, ruleAt } from '../words';

/** Time in milliseconds that a choice must rest before its score is requested. */
const PREVIEW_DELAY_MILLISECONDS = 120;

/** The decision of a player: the selected cards, and the answers of the server. */
export class Turn {
  /** The chosen cards, at most two; the second may be one that cannot be taken with the first. */
  chosen = $state.raw<readonly Cell[]>([]);
  /** Whether the deck is chosen. */
  deck = $state(false);
  /** The selected token. */
  picked = $state<string | null>(null);
  /** The card with the pointer or the keyboard focus. */
  pointed = $state<Cell | null>(null);
  /** The reason why it is illegal. */
  message = $state('');
  /** The address of the rule behind it. */
  rule = $state('');
  /** The changes of the own sheet; null while they are unknown. */
  changes = $state.raw<readonly ScoreChange[] | null>(null);

  private turn = '';
  private asked = 0;

  constructor(private readonly props: () => GameScreenProps & { readonly table: TableView }) {}

  get choices(): readonly Action[] {
    return this.props().choices as readonly Action[];
  }

  get takes(): readonly Take[] {
    return this.choices.filter((choice) => choice.type === 'take');
  }

  get payments(): readonly Pay[] {
    return this.choices.filter((choice) => choice.type === 'pay');
  }

  get picks(): readonly PickToken[] {
    return this.choices.filter((choice) => choice.type === 'token');
  }

  get lineUps(): readonly LineUp[] {
    return this.choices.filter((choice) => choice.type === 'line');
  }

  get flips(): readonly Flip[] {
    return this.choices.filter((choice) => choice.type === 'flip');
  }

  may(type: 'draw' | 'skip' | 'line-as-drawn'): boolean {
    return this.choices.some((choice) => choice.type === type);
  }

  /** Whether the decision is to take cards. */
  get taking(): boolean {
    return this.takes.length > 0 || this.flips.length > 0 || this.may('draw') || this.may('skip');
  }

  /** Cells that are in a pair that can be taken. */
  get takeable(): ReadonlySet<Cell> {
    return new Set(this.takes.flatMap(({ cells }) => cells));
  }

  get flippable(): ReadonlySet<Cell> {
    return new Set(this.flips.map(({ at }) => at));
  }

  /** Cells that can be taken with the chosen one. */
  get partners(): ReadonlySet<Cell> {
    const [first] = this.chosen;
    if (!first) return new Set();
    return new Set(
      this.takes.flatMap(({ cells }) => (cells.includes(first) ? cells.filter((cell) => cell !== first) : [])),
    );
  }

  /** The offer of the two cards: both chosen, or one chosen and a partner pointed at. */
  get offer(): Offer | null {
    const [first, second] = this.chosen;
    if (!first) return null;
    const other = second ?? (this.pointed && this.partners.has(this.pointed) ? this.pointed : undefined);
    return other ? this.offerOf(first, other) : null;
  }

  /** Returns the offer of two cards; null if they cannot be taken together. */
  private offerOf(first: Cell, second: Cell): Offer | null {
    return this.props().table.offers.find(({ cells }) => cells.includes(first) && cells.includes(second)) ?? null;
  }

  /** The choice of those two cards; null if they cannot be taken. */
  get take(): Take | null {
    const pair = this.offer?.cells.join();
    return this.takes.find(({ cells }) => cells.join() === pair) ?? null;
  }

  /** Whether both cards are chosen, and not only pointed at. */
  get settled(): boolean {
    return this.chosen.length === 2;
  }

  tap(cell: Cell): void {
    if (!this.taking) return;
    const [first, second] = this.chosen;
    this.message = '';
    this.deck = false;
    if (cell === first || cell === second) this.chosen = this.chosen.filter((other) => other !== cell);
    else {
      const offer = first ? this.offerOf(first, cell) : null;
      this.chosen = first && offer ? [first, cell] : [cell];
      if (offer && !this.partners.has(cell)) void this.ask({ type: 'take', cells: offer.cells });
    }
  }

  /** Returns the number of an action among the advised ones, from 1; 0 if it is not advised. */
  advised(action: Action): number {
    const wanted = JSON.stringify(action);
    return (this.props().hint?.actions.findIndex((advice) => JSON.stringify(advice) === wanted) ?? -1) + 1;
  }

  /** Returns the numbers of the advised actions that take or turn a card. */
  advisedAt(cell: Cell): readonly number[] {
    const actions = (this.props().hint?.actions ?? []) as readonly Action[];
    return actions.flatMap((action, at) => (cellsOf(action).includes(cell) ? [at + 1] : []));
  }

  /** Whether the advised action with this number is selected. */
  isLookedAt(number: number): boolean {
    return this.props().hint?.chosen === number - 1;
  }

  chooseDeck(): void {
    if (!this.may('draw')) return;
    this.clear();
    this.deck = true;
  }

  clear(): void {
    this.chosen = [];
    this.picked = null;
    this.deck = false;
    this.message = '';
  }

  /** Clears the choice after a change of the turn or of its step. */
  follow(): void {
    const { table, seat } = this.props();
    const turn = `${seat}/${table.turns}/${table.phase}/${table.civic}/${table.line.length}`;
    if (turn === this.turn) return;
    const flipped = this.turn.includes('/turn/') && table.phase === 'take' && this.chosen.length === 1;
    this.turn = turn;
    this.pointed = null;
    if (!flipped) this.clear();
  }

  /** Requests the changes of an action once the choice rests. Returns a function that cancels the request. */
  look(action: Action | null): () => void {
    this.changes = null;
    const asked = ++this.asked;
    if (!action) return () => undefined;
    const timer = setTimeout(() => {
      void this.props()
        .preview(action)
        .then(({ changes }) => {
          if (asked === this.asked) this.changes = changes;
        })
        .catch(() => undefined);
    }, PREVIEW_DELAY_MILLISECONDS);
    return () => clearTimeout(timer);
  }

  act(action: Action): void {
    this.message = '';
    this.props().act(action);
  }

  private async ask(action: Take): Promise<void> {
    const turn = this.turn;
    const reason = await this.props()
      .why(action)
      .catch(() => null);
    const current = this.offer?.cells.join() === action.cells.join();
    if (!reason || turn !== this.turn || !current) return;
    this.message = inWords(reason, t) ?? t('pointcity.reason.other');
    this.rule = ruleAt(reason) ?? '';
    announce(this.message);
  }
}

/** Returns the cards of the market that an action takes or turns. */
function cellsOf(action: Action): readonly Cell[] {
  if (action.type === 'take') return action.cells;
  return action.type === 'flip' ? [action.at] : [];
}

export function pointDifference(changes: readonly ScoreChange[]): number {
  return changes.reduce((sum, { before, after }) => sum + (after?.points ?? 0) - (before?.points ?? 0), 0);
}
