import type { GameModule } from '../../../games/types';
import { t } from '../../../i18n/index.svelte';
import type { MatchInfo } from '../../../wire/server';
import type { TableSight } from './tableView.svelte';

interface Around {
  load(game: string): Promise<GameModule>;
  /** What did not arrive, in words. */
  failed(problem: string): void;
}

/** What has to arrive before a match can be shown: the screens of its game, its words, and a letter to be read first. */
export class Arrival {
  /** The numbers of the match that is on its way, and of the one that is here. */
  #coming: number | null = null;
  #here = $state<number | null>(null);
  #unread = $state(false);

  constructor(
    private readonly id: string,
    private readonly sight: TableSight,
    private readonly around: Around,
  ) {}

  get ready(): boolean {
    return this.sight.match !== null && this.#here === this.sight.match.number;
  }

  /** A letter came with this match, and nobody here has read it yet. */
  get unread(): boolean {
    return this.#unread;
  }

  /** The match on the table is another one than before. */
  get isAnother(): boolean {
    return this.#coming !== this.sight.match?.number;
  }

  async follow(): Promise<void> {
    const { sight, around } = this;
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
      this.around.failed(t('error.unreachable')); // a board without some of its words is better than none
    }
    this.#here = number;
  }

  /** The letter has been read. */
  keepLetter(): void {
    this.#unread = false;
    if (this.sight.match) this.sight.game?.letters?.keep(this.id, this.sight.match.setup);
  }
}
