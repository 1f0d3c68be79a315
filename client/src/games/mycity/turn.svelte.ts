import { cellAt, onBoard, type Cell, type Square } from '../../board/cells';
import { Hand } from '../../board/hand.svelte';
import { named } from '../../board/places';
import { turnsOf } from '../../board/shapes';
import { t } from '../../i18n/index.svelte';
import { announce } from '../../lib/live.svelte';
import type { Action, Place, TableView } from '../../wire/mycity';
import type { Change, Reason } from '../../wire/server';
import type { GameScreenProps } from '../types';
import { reason as inWords } from './words';

/** How long the piece must rest before its score is asked for, in milliseconds. */
const REST = 140;
/** How long a refusal stays to be read. */
const READING = 4500;

/** My decision on the card of the round: the piece in my hand, and what the server says about it. */
export class Turn {
  readonly hand = new Hand<Place>();
  /** Why the piece could not lie there. */
  message = $state('');
  flash = $state.raw<readonly Cell[]>([]);
  /** What the place would change on my sheet; null while that is not known. */
  changes = $state.raw<readonly Change[] | null>(null);
  /** What passing changes on my score. */
  price = $state<number | null>(null);
  whyNoPass = $state('');

  private round = '';
  private passing = '';
  private asked = 0;
  private reading: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly props: () => GameScreenProps & { readonly table: TableView }) {}

  get choices(): readonly Action[] {
    return this.props().choices as readonly Action[];
  }

  get places(): readonly Place[] {
    return this.choices.filter((choice) => choice.type === 'place');
  }

  get mayPass(): boolean {
    return this.choices.some(({ type }) => type === 'pass');
  }

  get mayStop(): boolean {
    return this.choices.some(({ type }) => type === 'stop');
  }

  /** The card or the choices have changed: take the new piece, or keep the one in hand. */
  follow(): void {
    const { table, seat } = this.props();
    const round = `${seat}/${table.revealed.length}/${table.card}`;
    if (round === this.round) this.hand.offer(this.places);
    else {
      this.round = round;
      const size = { width: table.rows[0]?.length ?? 0, height: table.rows.length };
      this.hand.take(table.shape ? turnsOf(table.shape) : [], this.places, size);
      this.quiet();
    }
    this.followPassing();
  }

  /** The choices may come a moment after the card, so passing is asked about again when they do. */
  private followPassing(): void {
    const passing = `${this.round}/${this.choices.length > 0}/${this.mayPass}`;
    if (passing === this.passing) return;
    this.passing = passing;
    this.price = null;
    this.whyNoPass = '';
    void this.askAboutPassing(passing);
  }

  /** Ask for the lines that a place would change, once the piece rests there. Returns how to call it off. */
  look(choice: Place | null): () => void {
    this.changes = null;
    const asked = ++this.asked;
    if (!choice) return () => undefined;
    const timer = setTimeout(() => {
      void this.props()
        .preview(choice)
        .then((changes) => {
          if (asked === this.asked) this.changes = changes;
        })
        .catch(() => undefined);
    }, REST);
    return () => clearTimeout(timer);
  }

  confirm(): void {
    const choice = this.hand.place?.choice;
    if (choice) this.act(choice);
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

  /** The piece was let go where it may not lie: say why. */
  async refused(squares: readonly Square[]): Promise<void> {
    const { table, why } = this.props();
    const size = { width: table.rows[0]?.length ?? 0, height: table.rows.length };
    const onIt = squares.filter((square) => onBoard(square, size)).map(({ x, y }) => cellAt(x, y));
    if (onIt.length < squares.length) {
      this.say({ code: 'off-board' }, onIt);
      return;
    }
    const round = this.round;
    const found = await why({ type: 'place', cells: named(squares) }).catch(() => null);
    if (found && round === this.round) this.say(found, onIt);
  }

  /** Say something that is known to be impossible. */
  explain(message: string): void {
    this.quiet();
    if (message) this.tell(message);
  }

  /** Forget the last refusal. */
  quiet(): void {
    clearTimeout(this.reading);
    this.message = '';
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
    this.tell(inWords(why, t) ?? t('mycity.reason.other'));
  }

  private tell(message: string): void {
    this.message = message;
    announce(message);
    this.reading = setTimeout(() => this.quiet(), READING);
  }

  private async askAboutPassing(passing: string): Promise<void> {
    const { seat, preview, why } = this.props();
    if (seat === null || this.choices.length === 0) return;
    if (this.mayPass) {
      const changes = await preview({ type: 'pass' }).catch(() => []);
      if (passing === this.passing && changes.length) this.price = difference(changes);
    } else {
      const found = await why({ type: 'pass' }).catch(() => null);
      if (found && passing === this.passing) this.whyNoPass = inWords(found, t) ?? t('mycity.reason.other');
    }
  }
}

export function difference(changes: readonly Change[]): number {
  return changes.reduce((sum, { before, after }) => sum + (after?.points ?? 0) - (before?.points ?? 0), 0);
}
