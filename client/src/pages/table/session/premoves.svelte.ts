import { announce } from '../../../lib/page/announcer.svelte';
import type { Future } from '../../../net/table/liveTable.svelte';
import { planText } from '../../../shell/time/plans';
import type { Prepared } from '../../../wire/server';
import type { TableView } from './tableView.svelte';

/** Deciding before its time: what may come is chosen, and then decided on as usual, on the board as it would be. */
export class Premoves {
  /** What may come. */
  lucks = $state.raw<readonly unknown[]>([]);
  /** What is supposed to come, and how it would look. */
  #luck = $state.raw<unknown>(null);
  #future = $state.raw<Future | null>(null);
  #since = 0;

  constructor(private readonly tableView: TableView) {}

  /** Something can be prepared now, or was. */
  get offered(): boolean {
    return this.possible || this.plans.length > 0;
  }

  get possible(): boolean {
    return this.tableView.mine?.foresees ?? false;
  }

  get plans(): readonly Prepared[] {
    return this.tableView.mine?.prepared ?? [];
  }

  /** Those whose time came when they were not possible any more. */
  get dropped(): Prepared | undefined {
    return this.plans.find((plan) => plan.dropped);
  }

  get future(): Future | null {
    return this.#future;
  }

  /** What is supposed to come, in words. */
  get supposed(): string {
    return this.#luck === null ? '' : this.#sentence('deciding', this.#luck);
  }

  /** What became of a plan. */
  failed({ luck }: Prepared, reason: string): string {
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

  /** Supposes that this comes. */
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

  /** Back to how it is; also when the match has gone on. */
  leave(): void {
    this.#future = null;
    this.#luck = null;
  }

  follow(): void {
    if (this.#future && (!this.possible || this.tableView.scene?.moves !== this.#since)) this.leave();
  }
}
