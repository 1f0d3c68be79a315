import { loadGame } from '../../../games/index';
import type { FeedbackKind, GameModule } from '../../../games/types';
import { t } from '../../../i18n/index.svelte';
import { ActivityFeed } from '../../../lib/match/activityFeed.svelte';
import { Hints } from '../../../lib/match/hints.svelte';
import { isPageVisible } from '../../../lib/match/readOnlyScreen';
import { announce } from '../../../lib/page/announcer.svelte';
import { playFeedback } from '../../../lib/page/feedback';
import { loadSiteInfo } from '../../../lib/site/siteInfo.svelte';
import { botName } from '../../../lib/text/displayNames';
import { errorText } from '../../../lib/text/errorText';
import { api } from '../../../net/api/api';
import { social } from '../../../net/api/social';
import { EventLog } from '../../../net/table/eventLog.svelte';
import { liveTable, NO_ADVICE, type TableObserver, type LiveTable } from '../../../net/table/liveTable.svelte';
import type { Connection } from '../../../net/table/socket';
import type { Arrange, Scene, SeatChange, FallbackDecision, ToScreen } from '../../../wire/server';
import type { TableSocial } from '../social/tableSocial.svelte';
import { countUp, MatchEnd, type Count } from './matchEnd.svelte';
import { MatchLoader } from './matchLoader.svelte';
import { MissedEvents } from './missedEvents.svelte';
import { MoveFeedback } from './moveFeedback';
import { OwnSeats } from './ownSeats.svelte';
import { Premoves } from './premoves.svelte';
import { TableClocks } from './tableClocks.svelte';
import { TableView } from './tableView.svelte';

/** The dialogs over the table; at most one is open. */
export type Panel = 'menu' | 'letter' | 'log' | 'join' | 'takeback' | 'hint' | 'rules' | 'pace' | 'plans' | 'company';

/** The external dependencies of a session. */
export interface SessionEnvironment {
  loadSiteInfo(): Promise<unknown>;
  open(table: string, follower: TableObserver): LiveTable;
  load(game: string): Promise<GameModule>;
  readonly api: Pick<typeof api, 'changeSeat' | 'rematch' | 'events'>;
  readonly count: Count;
  playFeedback(...what: readonly FeedbackKind[]): void;
}

const BROWSER_ENVIRONMENT: SessionEnvironment = {
  loadSiteInfo,
  open: liveTable,
  load: loadGame,
  api,
  count: countUp,
  playFeedback,
};

/** The state of the table page: what it shows, the available actions, and announcements to screen readers. */
export class TableSession implements TableObserver {
  readonly tableView = new TableView();
  /** The last actions of other players. */
  readonly activity = new ActivityFeed();
  readonly matchEnd: MatchEnd;
  readonly loader: MatchLoader;
  readonly missedEvents: MissedEvents;
  readonly clocks: TableClocks;
  readonly premoves = new Premoves(this.tableView);
  readonly ownSeats = new OwnSeats();
  readonly #feedback: MoveFeedback;
  panel = $state<Panel | null>(null);
  /** Whether a tap explains a thing instead of playing. */
  asking = $state(false);
  busy = $state(false);
  problem = $state('');
  #log = $state.raw<EventLog | null>(null);
  #answered = $state(false);
  #wasLost = false;
  /** Chat and reactions, once they are loaded. */
  social = $state.raw<TableSocial | null>(null);
  #decision = '';

  readonly hints = new Hints(() => this.tableView.live?.hint() ?? Promise.resolve(NO_ADVICE));

  constructor(
    readonly id: string,
    private readonly environment: SessionEnvironment = BROWSER_ENVIRONMENT,
  ) {
    this.matchEnd = new MatchEnd(environment.count);
    this.loader = new MatchLoader(id, this.tableView, {
      load: environment.load,
      failed: (problem) => (this.problem = problem),
    });
    this.missedEvents = new MissedEvents(id);
    this.clocks = new TableClocks(this.tableView);
    this.#feedback = new MoveFeedback(environment.playFeedback, this.activity);
  }

  get log(): EventLog | null {
    return this.#log;
  }

  /** Whether the board is shown. */
  get playing(): boolean {
    return this.tableView.scene !== null && (this.tableView.running || this.matchEnd.showing) && !this.loader.unread;
  }

  /** The open request of a player. */
  readonly asked = $derived(this.tableView.live?.state.asked ?? null);
  /** A request for another match, which is answered on the result of the last one. */
  readonly again = $derived(this.asked?.wish.type === 'play-again' ? this.asked : null);
  readonly mustAnswer = $derived(
    !this.#answered &&
      !this.again &&
      (this.asked?.waiting.some((seat) => this.tableView.table?.yours.includes(seat)) ?? false),
  );
  readonly canTakeBack = $derived(this.tableView.running && (this.tableView.mine?.played ?? false));
  readonly canHint = $derived(
    this.tableView.running && this.tableView.isDue && (this.tableView.match?.practice || this.tableView.amongBots),
  );

  /** Whether a board with explanations is shown. */
  get canAsk(): boolean {
    const { loader, tableView } = this;
    return loader.ready && tableView.view !== null && !loader.unread && !!tableView.game?.about;
  }

  /** The requested rule; null shows the rules from the top. */
  rule = $state<string | null>(null);

  /** Starts the explain mode. */
  ask(): void {
    this.panel = null;
    this.asking = this.canAsk;
  }

  /** Opens the rules at the table. */
  read(rule?: string): void {
    this.asking = false;
    this.rule = rule ?? null;
    this.panel = 'rules';
  }

  // Connection

  /** Opens the connection and returns a function that closes it. */
  enter(): () => void {
    let closed = false;
    // The first response sets the cookie; a socket without it would belong to another guest.
    void this.environment
      .loadSiteInfo()
      .catch(() => null)
      .then(() => {
        if (!closed) this.tableView.live = this.environment.open(this.id, this);
      });
    return () => {
      closed = true;
      this.matchEnd.stop();
      this.activity.clear();
      this.clocks.stop();
      this.tableView.live?.close();
    };
  }

  connectionChanged(connection: Connection): void {
    if (connection === 'open') this.setVisible();
    if (connection === 'lost') this.#wasLost = true;
    else if (connection === 'open' && this.#wasLost) {
      this.#wasLost = false;
      announce(t('connection.back'));
    }
  }

  /** Reports to the server whether the page is visible; it sends no notifications while it is. */
  setVisible(): void {
    const here = isPageVisible();
    this.tableView.live?.setVisible(here);
    if (here) this.missedEvents.saw(this.tableView.scene);
  }

  received(message: ToScreen): void {
    if (!this.asked) this.#answered = false;
    if (this.tableView.table) this.ownSeats.follow(this.tableView.table);
    this.#refreshHint();
    if (message.type === 'welcome') this.#arrived(message.scene);
    else if (message.type === 'news') this.#wentOn(message.scene);
    else if (message.type === 'stood-in') this.#stoodIn(message);
    else if (message.type === 'turned-away') this.ownSeats.turnedAway = true;
    this.social?.hear(message);
    this.#follow(message);
    void this.clocks.follow();
    this.premoves.follow();
  }

  #arrived(scene: Scene | null): void {
    if (this.#log && this.loader.isAnother) this.#log = this.panel === 'log' ? this.#newLog() : null;
    else this.#log?.reload();
    this.missedEvents.arrived(scene);
    void this.loader.follow();
    if (scene) this.#announce(scene);
  }

  #wentOn(scene: Scene): void {
    this.#log?.update(scene);
    this.missedEvents.saw(scene);
    this.#announce(scene);
    const { game, names, live } = this.tableView;
    if (game && live && !scene.back) this.#feedback.show(scene.events, game, names, live.ownSeats);
  }

  /** Shows that another bot played because the bot of a seat failed. */
  #stoodIn({ seat, bot, by }: FallbackDecision): void {
    const text = t('bot.stoodIn', { bot: botName(bot), by: botName(by) });
    this.activity.add({ seat, text });
    announce(text);
  }

  /** Updates the end of the match and the turn. */
  #follow(message: ToScreen): void {
    const { scene, game } = this.tableView;
    const counted = scene !== null && !scene.match.ended;
    const settled = counted && (scene.match.over || (game?.settled?.(scene.view) ?? false));
    if (message.type === 'welcome') this.matchEnd.stop();
    this.matchEnd.follow(settled, message.type === 'news', scene?.result);
    if (this.matchEnd.showing) this.activity.clear();
    this.#feedback.follow(this.tableView.isDue);
  }

  /** Repeats the count of the result. */
  countAgain = (): void => {
    if (this.tableView.scene) void this.matchEnd.begin(this.tableView.scene.result);
  };

  #announce(scene: Scene): void {
    const lines = this.tableView.game
      ? scene.events.map((event) => this.tableView.game?.describe(event, this.tableView.names, t))
      : [];
    if (scene.back) lines.push(t('takeback.done'));
    if (this.tableView.headline) lines.push(this.tableView.headline);
    announce(lines.filter(Boolean).join(' '));
  }

  // Actions

  async runRequest(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.problem = '';
    try {
      await work();
    } catch (error) {
      this.problem = errorText(error);
    }
    this.busy = false;
  }

  change = (seat: number, wish: SeatChange): void => {
    if (this.panel === 'join') this.panel = null;
    this.ownSeats.leave(wish.type === 'leave' ? seat : null);
    void this.runRequest(() => this.environment.api.changeSeat(this.id, seat, wish));
  };

  rematch = (): void => {
    if (this.panel === 'menu') this.panel = null;
    void this.runRequest(() => this.environment.api.rematch(this.id));
  };

  /** Changes the social settings of the table, as its host. */
  arrange = (wish: Arrange): void => void this.runRequest(() => social.arrange(this.id, wish));

  /** Opens the plans of the player, with the possible cards or rolls. */
  openPlans(): void {
    this.panel = 'plans';
    void this.premoves.open();
  }

  /** Starts a plan for a possible card or roll. */
  suppose = async (luck: unknown): Promise<void> => {
    if (await this.premoves.suppose(luck)) this.panel = null;
  };

  join(name: string): void {
    if (this.tableView.open[0]) this.change(this.tableView.open[0].seat, { type: 'join', name });
  }

  openLog(): void {
    this.panel = 'log';
    this.#log ??= this.#newLog();
  }

  #newLog(): EventLog | null {
    const number = this.tableView.match?.number;
    return number === undefined ? null : new EventLog((since) => this.environment.api.events(this.id, number, since));
  }

  /** Takes the last decision back; asks for confirmation if information was revealed since. */
  takeBack(): void {
    const { match, mine } = this.tableView;
    if (match?.rated !== 'yes' && (match?.practice || mine?.free)) this.tableView.live?.askTakeback();
    else this.panel = 'takeback';
  }

  takeBackNow(): void {
    this.panel = null;
    this.tableView.live?.askTakeback();
  }

  consent(yes: boolean): void {
    this.#answered = true;
    this.tableView.live?.consent(yes);
  }

  /** Requests a hint; asks for confirmation if it would turn the match into practice. */
  hint(): void {
    if (this.tableView.match?.practice) void this.hintNow();
    else this.panel = 'hint';
  }

  async hintNow(): Promise<void> {
    this.panel = null;
    announce(t('hint.thinking'));
    if (await this.hints.request()) announce(t('hint.here'));
    else if (this.hints.reason) this.tableView.live?.showRefusal(this.hints.reason);
  }

  /** Hot-seat: continues with the next player. */
  revealSeat(): void {
    this.tableView.live?.revealSeat();
    this.#refreshHint();
  }

  /** Hot-seat: returns to the previous player. */
  handBack(): void {
    this.tableView.live?.handBack();
    this.#refreshHint();
  }

  /** Clears the hint when the decision changes. */
  #refreshHint(): void {
    const decision = `${this.tableView.match?.number}/${this.tableView.scene?.moves}/${this.tableView.seat}/${this.canHint}`;
    if (decision !== this.#decision) this.hints.clear();
    this.#decision = decision;
  }
}
