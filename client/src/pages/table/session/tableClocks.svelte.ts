import { openBook } from '../../../i18n/books.svelte';
import { t } from '../../../i18n/index.svelte';
import { announce } from '../../../lib/page/announcer.svelte';
import { isTimeUp } from '../../../lib/text/time.svelte';
import type { ReceivedClocks } from '../../../net/table/tableState';
import type {} from '../../../shell/time/words';
import type { SeatClock } from '../../../wire/server';
import type { TableView } from './tableView.svelte';

/** Remaining time in milliseconds at which the player is warned. */
const SOON = 60_000;

/** The clocks of a table, once their texts are loaded; some of their moments are announced to screen readers. */
export class TableClocks {
  #words = $state(false);
  #late: readonly number[] = [];
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly tableView: TableView,
    private readonly words = (): Promise<void> => openBook('time'),
  ) {}

  /** Null without clocks. */
  get time(): ReceivedClocks | null {
    return this.#words ? (this.tableView.live?.state.time ?? null) : null;
  }

  get #own(): readonly number[] {
    return this.tableView.table?.yours ?? [];
  }

  clock(seat: number): SeatClock | undefined {
    return this.time?.seats.find((clock) => clock.seat === seat);
  }

  /** The seats whose time is up. */
  readonly late = $derived.by(() => this.time?.seats.filter(isTimeUp).map(({ seat }) => seat) ?? []);
  readonly lateOthers = $derived(this.late.filter((seat) => !this.#own.includes(seat)));
  readonly lateOwn = $derived(this.late.some((seat) => this.#own.includes(seat)));
  /** The displayed clock: the own one, or that of the player who is due. */
  readonly shown = $derived.by(() => {
    const own = this.tableView.seat ?? this.#own[0];
    return this.time?.seats.find(({ seat }) => seat === own) ?? this.time?.seats.find(({ runs }) => runs);
  });

  /** Updates after a message of the server. */
  async follow(): Promise<void> {
    if (!this.tableView.live?.state.time) return this.stop();
    if (!this.#words) await this.words();
    this.#words = true;
    this.#sayLate();
    this.#saySoon();
  }

  stop(): void {
    clearTimeout(this.#soon);
    this.#late = [];
  }

  #sayLate(): void {
    const fresh = this.late.filter((seat) => !this.#late.includes(seat));
    this.#late = this.late;
    for (const seat of fresh) {
      const own = this.#own.includes(seat);
      announce(own ? t('time.up.own') : t('time.up.said', { name: this.tableView.names[seat] ?? '' }));
    }
  }

  #saySoon(): void {
    clearTimeout(this.#soon);
    const own = this.time?.seats.find(({ seat, runs }) => runs && this.#own.includes(seat));
    const wait = own ? own.left - SOON : 0;
    if (wait > 0 && wait < 2 ** 31) this.#soon = setTimeout(() => announce(t('time.soon')), wait);
  }
}
