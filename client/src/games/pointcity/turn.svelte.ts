import type { Cell } from '../../board/cells';
import { t } from '../../i18n/index.svelte';
import { announce } from '../../lib/page/announcer.svelte';
import type { Action, Flip, LineUp, Offer, Pay, PickToken, TableView, Take } from '../../wire/pointcity';
import type { Change } from '../../wire/server';
import type { GameScreenProps } from '../types';
import { reason as inWords, ruleAt } from './words';

/** How long something must rest before its score is asked for, in milliseconds. */
const PREVIEW_DELAY_MILLISECONDS = 120;

/** My decision: the cards that I point at, and what the server says about them. */
export class Turn {
  /** The cards chosen so far, at most two; the second may be one that cannot be taken with the first. */
  chosen = $state.raw<readonly Cell[]>([]);
  /** The deck is chosen. */
  deck = $state(false);
  /** The token that is to be picked. */
  picked = $state<string | null>(null);
  /** A card that the pointer or the keyboard is at. */
  pointed = $state<Cell | null>(null);
  /** Why it is not possible. */
  message = $state('');
  /** Where the rule behind it can be read. */
  rule = $state('');
  /** What it would change on my sheet; null while that is not known. */
  changes = $state.raw<readonly Change[] | null>(null);

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

  /** Whether cards are to be taken now. */
  get taking(): boolean {
    return this.takes.length > 0 || this.flips.length > 0 || this.may('draw') || this.may('skip');
  }

  /** Cells that are in some pair that I can take. */
  get takeable(): ReadonlySet<Cell> {
    return new Set(this.takes.flatMap(({ cells }) => cells));
  }

  get flippable(): ReadonlySet<Cell> {
    return new Set(this.flips.map(({ at }) => at));
  }

  /** Cells that can be taken with the first one chosen. */
  get partners(): ReadonlySet<Cell> {
    const [first] = this.chosen;
    if (!first) return new Set();
    return new Set(
      this.takes.flatMap(({ cells }) => (cells.includes(first) ? cells.filter((cell) => cell !== first) : [])),
    );
  }

  /** The two cards looked at: both chosen, or the partner that is pointed at. */
  get offer(): Offer | null {
    const [first, second] = this.chosen;
    if (!first) return null;
    const other = second ?? (this.pointed && this.partners.has(this.pointed) ? this.pointed : undefined);
    return other ? this.offerOf(first, other) : null;
  }

  /** What two cards would cost; null if nobody can take them together. */
  private offerOf(first: Cell, second: Cell): Offer | null {
    return this.props().table.offers.find(({ cells }) => cells.includes(first) && cells.includes(second)) ?? null;
  }

  /** The choice of those two; null if they cannot be taken. */
  get take(): Take | null {
    const pair = this.offer?.cells.join();
    return this.takes.find(({ cells }) => cells.join() === pair) ?? null;
  }

  /** Both cards are chosen, not only looked at. */
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

  /** The number of an action among those that are advised, from 1; 0 if it is not. */
  advised(action: Action): number {
    const wanted = JSON.stringify(action);
    return (this.props().hint?.actions.findIndex((advice) => JSON.stringify(advice) === wanted) ?? -1) + 1;
  }

  /** The numbers of the advised actions that take or turn a card. */
  advisedAt(cell: Cell): readonly number[] {
    const actions = (this.props().hint?.actions ?? []) as readonly Action[];
    return actions.flatMap((action, at) => (cellsOf(action).includes(cell) ? [at + 1] : []));
  }

  /** Whether the action with this number is the one looked at. */
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

  /** Another turn or another step: what was chosen for the last one is forgotten. */
  follow(): void {
    const { table, seat } = this.props();
    const turn = `${seat}/${table.turns}/${table.phase}/${table.civic}/${table.line.length}`;
    if (turn === this.turn) return;
    const flipped = this.turn.includes('/turn/') && table.phase === 'take' && this.chosen.length === 1;
    this.turn = turn;
    this.pointed = null;
    if (!flipped) this.clear();
  }

  /** Ask for the lines that an action would change, once somebody rests on it. Returns how to call it off. */
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
    const found = await this.props()
      .why(action)
      .catch(() => null);
    const current = this.offer?.cells.join() === action.cells.join();
    if (!found || turn !== this.turn || !current) return;
    this.message = inWords(found, t) ?? t('pointcity.reason.other');
    this.rule = ruleAt(found) ?? '';
    announce(this.message);
  }
}

/** The cards of the market that an action takes or turns. */
function cellsOf(action: Action): readonly Cell[] {
  if (action.type === 'take') return action.cells;
  return action.type === 'flip' ? [action.at] : [];
}

export function pointDifference(changes: readonly Change[]): number {
  return changes.reduce((sum, { before, after }) => sum + (after?.points ?? 0) - (before?.points ?? 0), 0);
}
