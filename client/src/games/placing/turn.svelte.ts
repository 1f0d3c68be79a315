import { cellAt, onBoard, type Cell, type Size, type Square } from '../../board/geometry/cells';
import type { Shape } from '../../board/geometry/shapes';
import { HeldPiece } from '../../board/interaction/heldPiece.svelte';
import { cellNames } from '../../board/interaction/placements';
import { t, type Translate } from '../../i18n/index.svelte';
import { announce } from '../../lib/page/announcer.svelte';
import type { ScoreChange, Reason } from '../../wire/server';
import type { GameScreenProps } from '../types';
import { cellsOf, type Action, type CellChoice, type TaskItem } from './table';

/** Time in milliseconds that the piece must rest before its score is requested. */
const PREVIEW_DELAY_MILLISECONDS = 140;
/** Time in milliseconds that a refusal is shown. */
const REFUSAL_MILLISECONDS = 4500;

/** The properties of a turn, as the game provides them. */
export interface TurnProps extends GameScreenProps {
  /** The key of the round. */
  readonly round: string;
  readonly size: Size;
  /** The orientations of the building of the round; none between two rounds. */
  readonly turns: readonly Shape[];
  /** The thing to place, if it is not a building. */
  readonly thing?: TaskItem | undefined;
  reason(reason: Reason, t: Translate): string | undefined;
  /** Returns the address of the rule behind a refusal. */
  ruleAt?(reason: Reason): string | undefined;
}

/** The decision of a player in this round: the piece in the hand, and the answers of the server. */
export class Turn {
  readonly hand = new HeldPiece<CellChoice>();
  /** The reason why the piece could not lie there. */
  message = $state('');
  /** The address of the rule behind the refusal; empty if no rule applies. */
  rule = $state('');
  flash = $state.raw<readonly Cell[]>([]);
  /** The changes of the own sheet by the placed piece; null while they are unknown. */
  changes = $state.raw<readonly ScoreChange[] | null>(null);
  /** The change of the score by passing. */
  price = $state<number | null>(null);

  private round = '';
  private passing = '';
  private asked = 0;
  private reading: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly props: () => TurnProps) {}

  get choices(): readonly Action[] {
    return this.props().choices as readonly Action[];
  }

  get places(): readonly CellChoice[] {
    return this.choices.map((action) => ({ action, cells: cellsOf(action) })).filter(({ cells }) => cells.length > 0);
  }

  get mayPass(): boolean {
    return this.choices.some(({ type }) => type === 'pass');
  }

  get mayStop(): boolean {
    return this.choices.some(({ type }) => type === 'stop');
  }

  /** The reason why passing is illegal; empty if it is legal. */
  get whyNoPass(): string {
    const barred = this.noPass;
    return barred ? this.inWords(barred) : '';
  }

  private get noPass(): Reason | undefined {
    return this.props().barred.find(({ action }) => (action as Action).type === 'pass')?.reason;
  }

  /** Takes the new piece after a change of the round, or keeps the one in hand after a change of the choices. */
  follow(): void {
    const { seat, size, turns, ...now } = this.props();
    const round = `${seat}/${now.round}`;
    if (round === this.round) this.hand.offer(this.places);
    else {
      this.round = round;
      this.hand.take(turns, this.places, size);
      this.quiet();
    }
    this.followPassing();
  }

  /** Requests the price of passing once for each round in which it is legal. */
  private followPassing(): void {
    const passing = `${this.round}/${this.mayPass}`;
    if (passing === this.passing) return;
    this.passing = passing;
    this.price = null;
    if (this.mayPass) void this.requestPassPrice(passing);
  }

  /** Requests the changes of a place once the piece rests there. Returns a function that cancels the request. */
  look(choice: CellChoice | null): () => void {
    this.changes = null;
    const asked = ++this.asked;
    if (!choice) return () => undefined;
    const timer = setTimeout(() => {
      void this.props()
        .preview(choice.action)
        .then(({ changes }) => {
          if (asked === this.asked) this.changes = changes;
        })
        .catch(() => undefined);
    }, PREVIEW_DELAY_MILLISECONDS);
    return () => clearTimeout(timer);
  }

  confirm(): void {
    const choice = this.hand.place?.choice;
    if (choice) this.act(choice.action);
  }

  /** Places nothing, where that is legal. */
  decline(): void {
    const { thing } = this.props();
    if (thing?.decline) this.act(thing.decline.action);
  }

  pass(): void {
    if (this.mayPass) this.act({ type: 'pass' });
  }

  stop(): void {
    if (this.mayStop) this.act({ type: 'stop' });
  }

  rotate(quarters: number): void {
    this.hand.rotate(quarters);
    this.quiet();
  }

  mirror(): void {
    this.hand.mirror();
    this.quiet();
  }

  /** Requests the reason after the piece was dropped at an illegal place. */
  async refused(squares: readonly Square[]): Promise<void> {
    const { size, why, thing } = this.props();
    const onIt = squares.filter((square) => onBoard(square, size)).map(({ x, y }) => cellAt(x, y));
    if (onIt.length < squares.length) {
      this.say({ code: 'off-board' }, onIt);
      return;
    }
    const round = this.round;
    const cells = cellNames(squares);
    const reason = await why(thing && cells[0] ? thing.at(cells[0]) : { type: 'place', cells }).catch(() => null);
    if (reason && round === this.round) this.say(reason, onIt);
  }

  /** Shows the reason why passing is illegal. */
  refusePass(): void {
    this.quiet();
    if (this.noPass) this.announceSpot(this.noPass);
  }

  /** Removes the last refusal. */
  quiet(): void {
    clearTimeout(this.reading);
    this.message = this.rule = '';
    this.flash = [];
  }

  private act(action: Action): void {
    this.quiet();
    this.props().act(action);
  }

  private say(why: Reason, cells: readonly Cell[]): void {
    const named = why.about?.['cells'];
    this.quiet();
    this.flash = Array.isArray(named) && named.length ? (named as readonly Cell[]) : cells;
    this.announceSpot(why);
  }

  private inWords(why: Reason): string {
    return this.props().reason(why, t) ?? t('building.reason.other');
  }

  private announceSpot(why: Reason): void {
    this.message = this.inWords(why);
    this.rule = this.props().ruleAt?.(why) ?? '';
    announce(this.message);
    this.reading = setTimeout(() => this.quiet(), REFUSAL_MILLISECONDS);
  }

  private async requestPassPrice(passing: string): Promise<void> {
    const { changes } = await this.props().preview({ type: 'pass' });
    if (passing === this.passing && changes.length) this.price = pointDifference(changes);
  }
}

export function pointDifference(changes: readonly ScoreChange[]): number {
  return changes.reduce((sum, { before, after }) => sum + (after?.points ?? 0) - (before?.points ?? 0), 0);
}
