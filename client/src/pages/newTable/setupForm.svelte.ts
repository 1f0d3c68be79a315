import type { GameMode, GameModule } from '../../games/types';
import { language, t } from '../../i18n/index.svelte';
import { fitsSeats, createTableRequest, type SeatKind, type SeatRow } from '../../lib/match/createTable';
import { UNHURRIED } from '../../lib/text/time.svelte';
import type { CreateTable, GameInfo, Pace } from '../../wire/server';

/** The state of the form for a new table. It keeps the mode and the number of seats consistent. */
export class SetupForm {
  readonly seats = $state<SeatRow[]>([]);
  seed = $state('');
  typed = $state(false);
  pace = $state.raw<Pace>(UNHURRIED);
  /** Whether the player wants a rating, and whether this guest has an account. */
  wantsRating = $state(false);
  account = $state(false);
  /** The table is listed as an open table. */
  open = $state(false);
  talk = $state(true);
  /** Outside bots may join. */
  outsiders = $state(false);
  #mode = $state(0);
  #rows = 0;

  constructor(
    readonly game: GameModule,
    readonly info: GameInfo,
    name: string,
  ) {
    this.seats.push(this.#row('me', name));
    if (info.seats.includes(2)) this.seats.push(this.#row('bot'));
    this.choose(0);
  }

  get modes(): readonly GameMode[] {
    return this.game.modes;
  }

  /** The number of the chosen mode. */
  get mode(): number {
    return this.#mode;
  }

  get chosen(): GameMode {
    return this.modes[this.#mode] ?? { setup: {} };
  }

  get groups(): readonly string[] {
    return [...new Set(this.modes.flatMap(({ group }) => (group === undefined ? [] : [group])))];
  }

  /** The modes of the chosen group. */
  get together(): readonly { readonly value: number; readonly label: string; readonly sealed: boolean }[] {
    return this.modes.flatMap((mode, value) =>
      mode.group === this.chosen.group
        ? [{ value, label: this.game.modeName(mode, t), sealed: this.game.sealed?.(mode) ?? false }]
        : [],
    );
  }

  /** Episodes with printable sheets: the chosen one, or those of the campaign. */
  get episodes(): readonly number[] {
    const { plan, setup } = this.chosen;
    return plan ?? (typeof setup['episode'] === 'number' ? [setup['episode']] : []);
  }

  get friends(): boolean {
    return this.seats.some(({ kind }) => kind === 'friend');
  }

  /** Whether the matches can be rated: random luck, no campaign, two or more players, each on an own device. */
  get canBeRated(): boolean {
    const own = this.seats.filter(({ kind }) => kind === 'me').length;
    return !this.seed.trim() && !this.typed && !this.chosen.plan && this.seats.length > 1 && own <= 1;
  }

  /** A bot without a measured strength. */
  get unmeasured(): string | undefined {
    return this.seats.find(({ kind, bot }) => kind === 'bot' && !this.info.measured?.includes(bot))?.bot;
  }

  get rated(): boolean {
    return this.wantsRating && this.account && this.canBeRated && this.unmeasured === undefined;
  }

  get canAdd(): boolean {
    return this.#isAllowed(this.seats.length + 1);
  }

  get canRemove(): boolean {
    return this.#isAllowed(this.seats.length - 1);
  }

  /** Whether a mode of the chosen group supports this number of seats. */
  #isAllowed(seats: number): boolean {
    const together = this.modes.filter(({ group }) => group === this.chosen.group);
    return this.info.seats.includes(seats) && together.some((mode) => fitsSeats(mode, seats));
  }

  /** Chooses a mode, and changes the number of seats if the mode requires it. */
  choose(mode: number): void {
    this.#mode = mode;
    const allowed = this.chosen.seats ?? [this.seats.length];
    const near = (count: number): number => Math.abs(count - this.seats.length);
    const wanted = allowed.reduce((best, count) => (near(count) < near(best) ? count : best), allowed[0] ?? 1);
    while (this.seats.length > wanted) this.seats.pop();
    while (this.seats.length < wanted) this.seats.push(this.#row('bot'));
  }

  chooseGroup(group: string): void {
    this.choose(this.modes.findIndex((mode) => mode.group === group));
  }

  add(): void {
    this.seats.push(this.#row('bot'));
    this.#follow();
  }

  remove(seat: number): void {
    this.seats.splice(seat, 1);
    this.#follow();
  }

  change(seat: number, kind: SeatKind): void {
    const row = this.seats[seat];
    if (!row) return;
    row.kind = kind;
  }

  request(): CreateTable {
    const { seats, seed, typed, pace, rated, friends, open, talk, outsiders } = this;
    const company = friends ? { invites: open ? language() : null, talk, outsiders } : {};
    return createTableRequest(this.info.game, this.chosen, { seats, seed, typed, pace, rated, ...company });
  }

  /** Chooses another mode of the group if the current one does not support the number of seats. */
  #follow(): void {
    if (fitsSeats(this.chosen, this.seats.length)) return;
    const next = this.modes.findIndex((mode) => mode.group === this.chosen.group && fitsSeats(mode, this.seats.length));
    if (next >= 0) this.#mode = next;
  }

  #row(kind: SeatKind, name = ''): SeatRow {
    return { key: this.#rows++, kind, name, bot: this.info.first };
  }
}
