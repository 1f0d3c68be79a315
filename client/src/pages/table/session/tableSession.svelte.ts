import { loadGame } from '../../../games/index';
import type { Feel, GameModule } from '../../../games/types';
import { t } from '../../../i18n/index.svelte';
import { Telling } from '../../../lib/match/activityFeed.svelte';
import { Hints } from '../../../lib/match/hints.svelte';
import { looking } from '../../../lib/match/readOnlyScreen';
import { announce } from '../../../lib/page/announcer.svelte';
import { feel } from '../../../lib/page/feedback';
import { sayHello } from '../../../lib/site/siteInfo.svelte';
import { botName } from '../../../lib/text/displayNames';
import { wrong } from '../../../lib/text/errorText';
import { api } from '../../../net/api/api';
import { company } from '../../../net/api/social';
import { EventLog } from '../../../net/table/eventLog.svelte';
import { liveTable, NO_ADVICE, type Follower, type LiveTable } from '../../../net/table/liveTable.svelte';
import type { Connection } from '../../../net/table/socket';
import type { Arrange, Scene, SeatChange, StoodIn, ToScreen } from '../../../wire/server';
import type { Company } from '../social/tableSocial.svelte';
import { countUp, Ending, type Count } from './matchEnd.svelte';
import { Arrival } from './matchLoader.svelte';
import { Missed } from './missedEvents.svelte';
import { Feedback } from './moveFeedback';
import { OwnSeats } from './ownSeats.svelte';
import { Foresight } from './premoves.svelte';
import { Timing } from './tableClocks.svelte';
import { TableSight } from './tableView.svelte';

/** What may lie over the table, one at a time. */
export type Panel = 'menu' | 'letter' | 'log' | 'join' | 'takeback' | 'hint' | 'rules' | 'pace' | 'plans' | 'company';

/** What a session asks of the world around it. */
export interface World {
  hello(): Promise<unknown>;
  open(table: string, follower: Follower): LiveTable;
  load(game: string): Promise<GameModule>;
  readonly api: Pick<typeof api, 'changeSeat' | 'rematch' | 'events'>;
  readonly count: Count;
  feel(...what: readonly Feel[]): void;
}

const BROWSER: World = { hello: sayHello, open: liveTable, load: loadGame, api, count: countUp, feel };

/** Somebody at a table: what is to be seen there, what can be done, and what is said to those who listen. */
export class TableSession implements Follower {
  readonly sight = new TableSight();
  /** What others have just done. */
  readonly telling = new Telling();
  readonly ending: Ending;
  readonly arrival: Arrival;
  readonly missed: Missed;
  readonly timing: Timing;
  readonly foresight = new Foresight(this.sight);
  readonly ownSeats = new OwnSeats();
  readonly #feedback: Feedback;
  panel = $state<Panel | null>(null);
  /** Whatever is tapped is explained, not played. */
  asking = $state(false);
  busy = $state(false);
  problem = $state('');
  #log = $state.raw<EventLog | null>(null);
  #answered = $state(false);
  #lost = false;
  /** The others, once what is needed to hear them has arrived. */
  company = $state.raw<Company | null>(null);
  #decision = '';

  readonly hints = new Hints(() => this.sight.live?.hint() ?? Promise.resolve(NO_ADVICE));

  constructor(
    readonly id: string,
    private readonly world: World = BROWSER,
  ) {
    this.ending = new Ending(world.count);
    this.arrival = new Arrival(id, this.sight, { load: world.load, failed: (problem) => (this.problem = problem) });
    this.missed = new Missed(id);
    this.timing = new Timing(this.sight);
    this.#feedback = new Feedback(world.feel, this.telling);
  }

  get log(): EventLog | null {
    return this.#log;
  }

  /** The board fills the screen. */
  get playing(): boolean {
    return this.sight.scene !== null && (this.sight.running || this.ending.showing) && !this.arrival.unread;
  }

  /** What somebody asks for. */
  readonly asked = $derived(this.sight.live?.state.asked ?? null);
  /** Somebody asks for another match, which is answered where the last one ended. */
  readonly again = $derived(this.asked?.wish.type === 'play-again' ? this.asked : null);
  readonly mustAnswer = $derived(
    !this.#answered &&
      !this.again &&
      (this.asked?.waiting.some((seat) => this.sight.table?.yours.includes(seat)) ?? false),
  );
  readonly canTakeBack = $derived(this.sight.running && (this.sight.mine?.played ?? false));
  readonly canHint = $derived(
    this.sight.running && this.sight.isDue && (this.sight.match?.practice || this.sight.amongBots),
  );

  /** There is a board that can be asked about. */
  get canAsk(): boolean {
    const { arrival, sight } = this;
    return arrival.ready && sight.view !== null && !arrival.unread && !!sight.game?.about;
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
    void this.world
      .hello()
      .catch(() => null)
      .then(() => {
        if (!gone) this.sight.live = this.world.open(this.id, this);
      });
    return () => {
      gone = true;
      this.ending.stop();
      this.telling.hush();
      this.timing.stop();
      this.sight.live?.close();
    };
  }

  connected(connection: Connection): void {
    if (connection === 'open') this.look();
    if (connection === 'lost') this.#lost = true;
    else if (connection === 'open' && this.#lost) {
      this.#lost = false;
      announce(t('connection.back'));
    }
  }

  /** Somebody turns to the page, or away from it: whoever has it before their eyes is told nowhere else. */
  look(): void {
    const here = looking();
    this.sight.live?.look(here);
    if (here) this.missed.saw(this.sight.scene);
  }

  heard(message: ToScreen): void {
    if (!this.asked) this.#answered = false;
    if (this.sight.table) this.ownSeats.follow(this.sight.table);
    this.#adviseAnew();
    if (message.type === 'welcome') this.#arrived(message.scene);
    else if (message.type === 'news') this.#wentOn(message.scene);
    else if (message.type === 'stood-in') this.#stoodIn(message);
    else if (message.type === 'turned-away') this.ownSeats.turnedAway = true;
    this.company?.hear(message);
    this.#follow(message);
    void this.timing.follow();
    this.foresight.follow();
  }

  #arrived(scene: Scene | null): void {
    if (this.#log && this.arrival.isAnother) this.#log = this.panel === 'log' ? this.#newLog() : null;
    else this.#log?.reload();
    this.missed.arrived(scene);
    void this.arrival.follow();
    if (scene) this.#announce(scene);
  }

  #wentOn(scene: Scene): void {
    this.#log?.hear(scene);
    this.missed.saw(scene);
    this.#announce(scene);
    const { game, names, live } = this.sight;
    if (game && live && !scene.back) this.#feedback.show(scene.events, game, names, live.own);
  }

  /** The bot of a seat could not decide. */
  #stoodIn({ seat, bot, by }: StoodIn): void {
    const text = t('bot.stoodIn', { bot: botName(bot), by: botName(by) });
    this.telling.tell({ seat, text });
    announce(text);
  }

  /** What can be seen of an end, and whose turn it is now. */
  #follow(message: ToScreen): void {
    const { scene, game } = this.sight;
    const counted = scene !== null && !scene.match.ended;
    const settled = counted && (scene.match.over || (game?.settled?.(scene.view) ?? false));
    if (message.type === 'welcome') this.ending.stop();
    this.ending.follow(settled, message.type === 'news', scene?.result);
    if (this.ending.showing) this.telling.hush();
    this.#feedback.follow(this.sight.isDue);
  }

  /** Once more, line by line. */
  countAgain = (): void => {
    if (this.sight.scene) void this.ending.begin(this.sight.scene.result);
  };

  #announce(scene: Scene): void {
    const lines = this.sight.game
      ? scene.events.map((event) => this.sight.game?.describe(event, this.sight.names, t))
      : [];
    if (scene.back) lines.push(t('takeback.done'));
    if (this.sight.headline) lines.push(this.sight.headline);
    announce(lines.filter(Boolean).join(' '));
  }

  // What people do

  async doing(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    this.problem = '';
    try {
      await work();
    } catch (error) {
      this.problem = wrong(error);
    }
    this.busy = false;
  }

  change = (seat: number, wish: SeatChange): void => {
    if (this.panel === 'join') this.panel = null;
    this.ownSeats.leave(wish.type === 'leave' ? seat : null);
    void this.doing(() => this.world.api.changeSeat(this.id, seat, wish));
  };

  rematch = (): void => {
    if (this.panel === 'menu') this.panel = null;
    void this.doing(() => this.world.api.rematch(this.id));
  };

  /** What whoever made the table says about its company. */
  arrange = (wish: Arrange): void => void this.doing(() => company.arrange(this.id, wish));

  /** One's own plans, and what may come. */
  openPlans(): void {
    this.panel = 'plans';
    void this.foresight.open();
  }

  /** Decides for something that may come. */
  suppose = async (luck: unknown): Promise<void> => {
    if (await this.foresight.suppose(luck)) this.panel = null;
  };

  join(name: string): void {
    if (this.sight.open[0]) this.change(this.sight.open[0].seat, { type: 'join', name });
  }

  openLog(): void {
    this.panel = 'log';
    this.#log ??= this.#newLog();
  }

  #newLog(): EventLog | null {
    const number = this.sight.match?.number;
    return number === undefined ? null : new EventLog((since) => this.world.api.events(this.id, number, since));
  }

  /** What was seen since cannot be unseen: then it is asked first. */
  takeBack(): void {
    const { match, mine } = this.sight;
    if (match?.rated !== 'yes' && (match?.practice || mine?.free)) this.sight.live?.askTakeback();
    else this.panel = 'takeback';
  }

  takeBackNow(): void {
    this.panel = null;
    this.sight.live?.askTakeback();
  }

  consent(yes: boolean): void {
    this.#answered = true;
    this.sight.live?.consent(yes);
  }

  /** Who asks for a hint plays for practice from then on: then it is asked first. */
  hint(): void {
    if (this.sight.match?.practice) void this.hintNow();
    else this.panel = 'hint';
  }

  async hintNow(): Promise<void> {
    this.panel = null;
    announce(t('hint.thinking'));
    if (await this.hints.request()) announce(t('hint.here'));
    else if (this.hints.reason) this.sight.live?.refuse(this.hints.reason);
  }

  /** Hot-seat: the next one is here. */
  lift(): void {
    this.sight.live?.lift();
    this.#adviseAnew();
  }

  /** Hot-seat: the one before thinks again. */
  handBack(): void {
    this.sight.live?.handBack();
    this.#adviseAnew();
  }

  /** An advice is for the decision of now. */
  #adviseAnew(): void {
    const decision = `${this.sight.match?.number}/${this.sight.scene?.moves}/${this.sight.seat}/${this.canHint}`;
    if (decision !== this.#decision) this.hints.drop();
    this.#decision = decision;
  }
}
