import type { GameModule } from '../../../games/types';
import { t } from '../../../i18n/index.svelte';
import type { MatchInfo } from '../../../wire/server';
import type { TableView } from './tableView.svelte';

interface LoaderContext {
  load(game: string): Promise<GameModule>;
  /** Reports a failed load. */
  failed(problem: string): void;
}

/** Loads what a match needs before it is shown: the screens of its game, its texts, and an unread letter. */
export class MatchLoader {
  /** The numbers of the match that is being loaded, and of the loaded one. */
  #coming: number | null = null;
  #here = $state<number | null>(null);
  #unread = $state(false);

  constructor(
    private readonly id: string,
    private readonly tableView: TableView,
    private readonly context: LoaderContext,
  ) {}

  get ready(): boolean {
    return this.tableView.match !== null && this.#here === this.tableView.match.number;
  }

  /** Whether this match has a letter that is unread on this device. */
  get unread(): boolean {
    return this.#unread;
  }

  /** Whether the match on the table differs from the loaded one. */
  get isAnother(): boolean {
    return this.#coming !== this.tableView.match?.number;
  }

  async follow(): Promise<void> {
    const { tableView: sight, context: around } = this;
    if (!sight.table) return;
    try {
      sight.game ??= await around.load(sight.table.game);
    } catch {
      around.failed(t('error.other'));
      return;
    }
    if (sight.match && this.isAnother) await this.#bring(sight.game, sight.match);
  }

  async #bring(game: GameModule, { number, setup, over }: MatchInfo): Promise<void> {
    this.#coming = number;
    this.#unread = !over && (game.letters?.waits(this.id, setup) ?? false);
    try {
      await game.prepare?.(setup);
    } catch {
      this.context.failed(t('error.unreachable')); // a board with missing texts is better than none
    }
    this.#here = number;
  }

  /** Marks the letter as read. */
  keepLetter(): void {
    this.#unread = false;
    if (this.tableView.match) this.tableView.game?.letters?.keep(this.id, this.tableView.match.setup);
  }
}
