import { announce } from '../../../lib/page/announcer.svelte';
import type { Future } from '../../../net/table/liveTable.svelte';
import { planText } from '../../../shell/time/plans';
import type { Premove } from '../../../wire/server';
import type { TableView } from './tableView.svelte';

/** Decisions ahead of time: the player chooses a possible card or roll, then decides on a board as it would be. */
export class Premoves {
  /** The possible cards or rolls. */
  lucks = $state.raw<readonly unknown[]>([]);
  /** The supposed card or roll, and the position after it. */
  #luck = $state.raw<unknown>(null);
  #future = $state.raw<Future | null>(null);
  #since = 0;

  constructor(private readonly tableView: TableView) {}

  /** Whether a plan can be made or exists. */
  get offered(): boolean {
    return this.possible || this.plans.length > 0;
  }

  get possible(): boolean {
    return this.tableView.mine?.foresees ?? false;
  }

  get plans(): readonly Premove[] {
    return this.tableView.mine?.prepared ?? [];
  }

  /** A plan that was illegal when its time came. */
  get dropped(): Premove | undefined {
    return this.plans.find((plan) => plan.dropped);
  }

  get future(): Future | null {
    return this.#future;
  }

  /** Describes the supposed card or roll. */
  get supposed(): string {
    return this.#luck === null ? '' : this.#sentence('deciding', this.#luck);
  }

  /** Describes why a plan was dropped. */
  failed({ luck }: Premove, reason: string): string {
    return this.#sentence('dropped', luck, { reason });
  }

  #sentence(about: 'deciding' | 'kept' | 'dropped', luck: unknown, gaps: { reason?: string } = {}): string {
    const { game } = this.tableView;
    return game ? planText(about, luck, game, gaps) : '';
  }

  async open(): Promise<void> {
    this.lucks = [];
    this.lucks = (await this.tableView.live?.foresee())?.lucks ?? [];
  }

  /** Supposes a card or roll; returns false if it leads to no decision. */
  async suppose(luck: unknown): Promise<boolean> {
    const future = await this.tableView.live?.foresee(luck);
    if (!future?.choices.length) return false;
    this.#luck = luck;
    this.#future = future;
    this.#since = this.tableView.scene?.moves ?? 0;
    return true;
  }

  decide(action: unknown): void {
    this.tableView.live?.prepare(this.#luck, action);
    announce(this.#sentence('kept', this.#luck));
    this.leave();
  }

  /** Returns to the actual position, also when the match continues. */
  leave(): void {
    this.#future = null;
    this.#luck = null;
  }

  follow(): void {
    if (this.#future && (!this.possible || this.tableView.scene?.moves !== this.#since)) this.leave();
  }
}
