import type { GameModule } from '../../../games/types';
import { t } from '../../../i18n/index.svelte';
import type { MatchInfo } from '../../../wire/server';
import type { TableView } from './tableView.svelte';

interface LoaderContext {
  load(game: string): Promise<GameModule>;
  /** What did not arrive, in words. */
  failed(problem: string): void;
}

/** What has to arrive before a match can be shown: the screens of its game, its words, and a letter to be read first. */
export class MatchLoader {
  /** The numbers of the match that is on its way, and of the one that is here. */
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

  /** A letter came with this match, and nobody here has read it yet. */
  get unread(): boolean {
    return this.#unread;
  }

  /** The match on the table is another one than before. */
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
      this.context.failed(t('error.unreachable')); // a board without some of its words is better than none
    }
    this.#here = number;
  }

  /** The letter has been read. */
  keepLetter(): void {
    this.#unread = false;
    if (this.tableView.match) this.tableView.game?.letters?.keep(this.id, this.tableView.match.setup);
  }
}
