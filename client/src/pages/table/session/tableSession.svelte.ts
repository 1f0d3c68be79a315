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
import type { Arrange, Scene, SeatChange, StoodIn, ToScreen } from '../../../wire/server';
import type { TableSocial } from '../social/tableSocial.svelte';
import { countUp, MatchEnd, type Count } from './matchEnd.svelte';
import { MatchLoader } from './matchLoader.svelte';
import { MissedEvents } from './missedEvents.svelte';
import { MoveFeedback } from './moveFeedback';
import { OwnSeats } from './ownSeats.svelte';
import { Premoves } from './premoves.svelte';
import { TableClocks } from './tableClocks.svelte';
import { TableView } from './tableView.svelte';

/** What may lie over the table, one at a time. */
export type Panel = 'menu' | 'letter' | 'log' | 'join' | 'takeback' | 'hint' | 'rules' | 'pace' | 'plans' | 'company';

/** What a session asks of the world around it. */
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

/** Somebody at a table: what is to be seen there, what can be done, and what is said to those who listen. */
export class TableSession implements TableObserver {
  readonly tableView = new TableView();
  /** What others have just done. */
  readonly activity = new ActivityFeed();
  readonly matchEnd: MatchEnd;
  readonly loader: MatchLoader;
  readonly missedEvents: MissedEvents;
  readonly clocks: TableClocks;
  readonly premoves = new Premoves(this.tableView);
  readonly ownSeats = new OwnSeats();
  readonly #feedback: MoveFeedback;
  panel = $state<Panel | null>(null);
  /** Whatever is tapped is explained, not played. */
  asking = $state(false);
  busy = $state(false);
  problem = $state('');
  #log = $state.raw<EventLog | null>(null);
  #answered = $state(false);
  #lost = false;
  /** The others, once what is needed to hear them has arrived. */
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

  /** The board fills the screen. */
  get playing(): boolean {
    return this.tableView.scene !== null && (this.tableView.running || this.matchEnd.showing) && !this.loader.unread;
  }

  /** What somebody asks for. */
  readonly asked = $derived(this.tableView.live?.state.asked ?? null);
  /** Somebody asks for another match, which is answered where the last one ended. */
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

  /** There is a board that can be asked about. */
  get canAsk(): boolean {
    const { loader, tableView } = this;
    return loader.ready && tableView.view !== null && !loader.unread && !!tableView.game?.about;
  }

  /** The rule that was asked for; null to begin at the top. */
  rule = $state<string | null>(null);

  /** What is tapped from now on is explained. */
  ask(): void {
    this.panel = null;
    this.asking = this.canAsk;
  }

  /** The rules, at the table. */
  read(rule?: string): void {
    this.asking = false;
    this.rule = rule ?? null;
    this.panel = 'rules';
  }

  // Coming and going

  /** Takes the way to the table; what is given back leaves it. */
  enter(): () => void {
    let gone = false;
    // The first answer brings the cookie; a socket without it would be a stranger's.
    void this.environment
      .loadSiteInfo()
      .catch(() => null)
      .then(() => {
        if (!gone) this.tableView.live = this.environment.open(this.id, this);
      });
    return () => {
      gone = true;
      this.matchEnd.stop();
      this.activity.clear();
      this.clocks.stop();
      this.tableView.live?.close();
    };
  }

  connectionChanged(connection: Connection): void {
    if (connection === 'open') this.setVisible();
    if (connection === 'lost') this.#lost = true;
    else if (connection === 'open' && this.#lost) {
      this.#lost = false;
      announce(t('connection.back'));
    }
  }

  /** Somebody turns to the page, or away from it: whoever has it before their eyes is told nowhere else. */
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

  /** The bot of a seat could not decide. */
  #stoodIn({ seat, bot, by }: StoodIn): void {
    const text = t('bot.stoodIn', { bot: botName(bot), by: botName(by) });
    this.activity.add({ seat, text });
    announce(text);
  }

  /** What can be seen of an end, and whose turn it is now. */
  #follow(message: ToScreen): void {
    const { scene, game } = this.tableView;
    const counted = scene !== null && !scene.match.ended;
    const settled = counted && (scene.match.over || (game?.settled?.(scene.view) ?? false));
    if (message.type === 'welcome') this.matchEnd.stop();
    this.matchEnd.follow(settled, message.type === 'news', scene?.result);
    if (this.matchEnd.showing) this.activity.clear();
    this.#feedback.follow(this.tableView.isDue);
  }

  /** Once more, line by line. */
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

  // What people do

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

  /** What whoever made the table says about its company. */
  arrange = (wish: Arrange): void => void this.runRequest(() => social.arrange(this.id, wish));

  /** One's own plans, and what may come. */
  openPlans(): void {
    this.panel = 'plans';
    void this.premoves.open();
  }

  /** Decides for something that may come. */
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

  /** What was seen since cannot be unseen: then it is asked first. */
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

  /** Who asks for a hint plays for practice from then on: then it is asked first. */
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

  /** Hot-seat: the next one is here. */
  revealSeat(): void {
    this.tableView.live?.revealSeat();
    this.#refreshHint();
  }

  /** Hot-seat: the one before thinks again. */
  handBack(): void {
    this.tableView.live?.handBack();
    this.#refreshHint();
  }

  /** An advice is for the decision of now. */
  #refreshHint(): void {
    const decision = `${this.tableView.match?.number}/${this.tableView.scene?.moves}/${this.tableView.seat}/${this.canHint}`;
    if (decision !== this.#decision) this.hints.clear();
    this.#decision = decision;
  }
}
