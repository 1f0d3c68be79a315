import { announce } from '../../../lib/page/announcer.svelte';
import type { Future } from '../../../net/table/liveTable.svelte';
import { planned } from '../../../shell/time/plans';
import type { Prepared } from '../../../wire/server';
import type { TableSight } from './tableView.svelte';

/** Deciding before its time: what may come is chosen, and then decided on as usual, on the board as it would be. */
export class Foresight {
  /** What may come. */
  lucks = $state.raw<readonly unknown[]>([]);
  /** What is supposed to come, and how it would look. */
  #luck = $state.raw<unknown>(null);
  #future = $state.raw<Future | null>(null);
  #since = 0;

  constructor(private readonly sight: TableSight) {}

  /** Something can be prepared now, or was. */
  get offered(): boolean {
    return this.possible || this.plans.length > 0;
  }

  get possible(): boolean {
    return this.sight.mine?.foresees ?? false;
  }

  get plans(): readonly Prepared[] {
    return this.sight.mine?.prepared ?? [];
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
    const { game } = this.sight;
    return game ? planned(about, luck, game, gaps) : '';
  }

  async open(): Promise<void> {
    this.lucks = [];
    this.lucks = (await this.sight.live?.foresee())?.lucks ?? [];
  }

  /** Supposes that this comes. */
  async suppose(luck: unknown): Promise<boolean> {
    const future = await this.sight.live?.foresee(luck);
    if (!future?.choices.length) return false;
    this.#luck = luck;
    this.#future = future;
    this.#since = this.sight.scene?.moves ?? 0;
    return true;
  }

  decide(action: unknown): void {
    this.sight.live?.prepare(this.#luck, action);
    announce(this.#sentence('kept', this.#luck));
    this.leave();
  }

  /** Back to how it is; also when the match has gone on. */
  leave(): void {
    this.#future = null;
    this.#luck = null;
  }

  follow(): void {
    if (this.#future && (!this.possible || this.sight.scene?.moves !== this.#since)) this.leave();
  }
}
