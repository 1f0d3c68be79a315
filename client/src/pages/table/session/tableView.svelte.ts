import type { GameModule, SeatStatus } from '../../../games/types';
import { listed, t } from '../../../i18n/index.svelte';
import { practiceMark } from '../../../lib/match/practiceMark';
import { seatStatuses } from '../../../lib/match/seatStatus';
import { revealsSealed } from '../../../lib/site/settings.svelte';
import { siteInfo } from '../../../lib/site/siteInfo.svelte';
import { displayNames, shortName } from '../../../lib/text/displayNames';
import { LOCAL } from '../../../net/localMode';
import type { LiveTable } from '../../../net/table/liveTable.svelte';

const WAITED_FOR: readonly (SeatStatus | undefined)[] = ['thinking', 'away'];

/** The state of a table as its players see it: the players, the match and the turn. */
export class TableView {
  live = $state.raw<LiveTable | null>(null);
  game = $state.raw<GameModule | null>(null);

  // The table

  readonly table = $derived(this.live?.state.table ?? null);
  readonly scene = $derived(this.live?.state.scene ?? null);
  readonly match = $derived(this.live?.match ?? null);
  readonly version = $derived(this.live?.state.version ?? __VERSION__);
  readonly view = $derived<unknown>(this.scene?.view ?? null);
  readonly running = $derived(this.match !== null && !this.match.over);
  /** Whether this version has the rules of the match. */
  readonly playable = $derived(this.match?.playable ?? true);
  readonly title = $derived(this.table ? shortName(this.table.game) : t('app.name'));
  readonly note = $derived(
    [
      this.match && this.game?.matchName?.(this.match.setup, t),
      this.table?.daily ? t('daily') : '',
      practiceMark(this.match),
    ]
      .filter(Boolean)
      .join(' · '),
  );

  // The players

  /** The names of the seats, and of players without a seat. */
  readonly names = $derived(
    this.table
      ? [...displayNames(this.table.seats), ...((this.view !== null && this.game?.others?.(this.view, t)) || [])]
      : [],
  );
  readonly status = $derived<readonly SeatStatus[]>(
    this.scene && this.table
      ? seatStatuses(this.scene, this.table.seats, (seat) => this.game?.stopped?.(this.view, seat) ?? false)
      : [],
  );
  readonly seated = $derived((this.table?.yours.length ?? 0) > 0);
  readonly open = $derived(this.table?.seats.filter(({ kind }) => kind === 'open') ?? []);
  /** Other players who are due and absent. */
  readonly away = $derived(
    this.running
      ? (this.table?.seats.filter(
          ({ seat, kind }) => kind === 'person' && this.status[seat] === 'away' && !this.#isMine(seat),
        ) ?? [])
      : [],
  );
  readonly amongBots = $derived(
    this.table?.seats.every(({ seat, kind }) => kind !== 'person' || this.#isMine(seat)) ?? false,
  );
  /** Whether other players are or may be at the table. */
  readonly sociable = $derived(
    !LOCAL &&
      !this.table?.daily &&
      (this.table?.seats.some(({ seat, kind }) => kind !== 'bot' && !this.#isMine(seat)) ?? false),
  );
  /** Whether this guest is the host. */
  readonly makes = $derived(this.table?.maker != null && this.#isMine(this.table.maker));
  /** The default bot. */
  readonly bot = $derived(siteInfo()?.games.find(({ game }) => game === this.table?.game)?.usual ?? '');
  /** An own seat where a bot stands in. */
  readonly botForMe = $derived(this.table?.yours.find((seat) => this.table?.seats[seat]?.bot) ?? null);
  /** Seats with a permanent stand-in bot that leaves the current decision to the player. */
  readonly #left = $derived(
    this.scene?.lasting
      ? this.scene.due.filter((seat) => {
          const info = this.table?.seats[seat];
          return info?.kind === 'person' && info.bot && !info.entrusted;
        })
      : [],
  );
  readonly leftToMe = $derived(this.#left.some((seat) => this.#isMine(seat)));
  readonly leftToOther = $derived(this.#left.find((seat) => !this.#isMine(seat)) ?? null);
  /** The unnamed city of a player without a letter that asks for the name; until the first move. */
  readonly nameless = $derived(
    this.match?.number === 0 && this.running && revealsSealed() && (this.scene?.moves ?? 0) <= 1
      ? this.table?.seats[this.table.yours[0] ?? -1]?.city
      : null,
  );

  // The turn

  /** The seat that this screen plays now. */
  readonly seat = $derived(this.playable ? (this.live?.seat ?? null) : null);
  readonly mine = $derived(this.seat === null ? undefined : this.live?.mine);
  /** The seat whose board is shown while none is played here: the next one, or the own one of a match without rules. */
  readonly focus = $derived(this.live?.hotSeat.passTo ?? (this.playable ? null : (this.table?.yours[0] ?? null)));
  /** The seats of this screen that are due. */
  readonly due = $derived(this.live?.due ?? []);
  readonly isDue = $derived(this.seat !== null && this.due.includes(this.seat));
  readonly luck = $derived(this.live?.luck ?? []);
  readonly headline = $derived.by(() => {
    if (!this.running) return '';
    if (this.luck.length) return t('turn.luck');
    if (this.due.length) return this.#ownTurn();
    const others = this.names.filter((_, seat) => WAITED_FOR.includes(this.status[seat]));
    return others.length ? t('turn.others', { names: listed(others) }) : '';
  });

  #ownTurn(): string {
    if ((this.live?.ownSeats.length ?? 0) <= 1) return t('turn.yours');
    const next = this.isDue ? this.seat : (this.live?.hotSeat.passTo ?? this.due[0]);
    return t('turn.named', { name: this.names[next ?? 0] ?? '' });
  }

  #isMine(seat: number): boolean {
    return this.table?.yours.includes(seat) ?? false;
  }
}
