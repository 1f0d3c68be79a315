import type { Component, Snippet } from 'svelte';
import type { Translate } from '../i18n/index.svelte';
import type {
  Barred,
  CampaignInfo,
  Line,
  Previewed,
  Reason,
  Saying,
  SeatChange,
  SeatInfo,
  TableInfo,
  Trial,
} from '../wire/server';

export type SeatStatus = 'thinking' | 'ready' | 'waiting' | 'away' | 'stopped' | 'done';

/** What the middle of the table page gets. The shell owns the connection; a game draws and asks. */
export interface GameScreenProps {
  /** The view on the wire: for My City `mycity.View`. */
  view: unknown;
  names: readonly string[];
  /** One per seat. */
  status: readonly SeatStatus[];
  /** The seat that this screen plays now; null for spectators, results and replays. */
  seat: number | null;
  choices: readonly unknown[];
  /** What this seat cannot do now though it is always there to be done, to pass for example, and why. */
  barred: readonly Barred[];
  /** What this seat has decided while others are due. */
  staged: unknown;
  /** What just happened, for motion; empty after a jump. */
  events: readonly unknown[];
  act(action: unknown): void;
  retract(): void;
  /** Why an action is not possible; null if it is. */
  why(action: unknown): Promise<Reason | null>;
  /** What would happen if this seat alone did it now. */
  preview(action: unknown): Promise<Preview>;
  /** What a bot advises here; to whoever looks on, what could have been done. */
  hint?: ShownHint | null;
  /** Whose board is large when nobody plays here: in a replay, and when the match is over. */
  focusSeat?: number;
  /** What stands beside somebody's name: a clock. */
  beside?: Snippet<[seat: number]> | undefined;
  /** All is over, and the lines of the score sheet are counted up where everybody looks. */
  counting?: Counting | null;
}

/** How far the score sheets are counted up. */
export interface Counting {
  /** The line now, whose cells or cards shine; null before the first and after the last one. */
  readonly line: string | null;
  /** Those that are counted, this one too. */
  readonly lines: ReadonlySet<string>;
  /** What they come to, for everybody. */
  readonly totals: readonly number[];
  /** Stands where one's hand was. */
  readonly bar: Snippet;
}

/** A finished city to be looked at: one drawing, whole. */
export interface CityProps {
  view: unknown;
  seat: number;
  name: string;
  /** The line of the score sheet whose cells or cards shine. */
  lit?: string | null;
}

/** What can be heard and felt at a table. */
export type FeedbackKind = 'place' | 'turn' | 'dice' | 'seal' | 'gold' | 'yours';

/** What an action would lead to: lines of the score sheet, events, and the view after it; null if it is not possible. */
export type Preview = Pick<Previewed, 'changes' | 'events' | 'view'>;

/** Actions that a bot advises, the best first, and which of them is looked at. */
export interface ShownHint {
  readonly actions: readonly unknown[];
  readonly chosen: number;
}

/** What is asked of a game when a table is made. */
export interface GameMode {
  /** Without the seats: they are counted. */
  readonly setup: Readonly<Record<string, unknown>>;
  /** The episodes of a campaign, in order; absent for single matches. */
  readonly plan?: readonly number[];
  /** The numbers of seats that it is for; absent: all of the game. */
  readonly seats?: readonly number[];
  /** Modes of one group are offered together, under the name that `groupName` gives it. */
  readonly group?: string;
}

/** What the one who types in the dice or cards of a real table gets. */
export interface LuckProps {
  view: unknown;
  choices: readonly unknown[];
  act(action: unknown): void;
}

/** A line of the standings of a campaign, in words. */
export interface StandingLine {
  readonly name: string;
  readonly value: string;
  /** It sums up others. */
  readonly strong?: boolean;
}

/** What is told before a match is played. */
export interface LetterProps {
  table: TableInfo;
  setup: unknown;
  /** It is opened now, for the first time on this screen. */
  fresh: boolean;
  change(seat: number, wish: SeatChange): void;
  ondone(): void;
}

/** A letter that comes with some matches, and whether it lies there unread. */
export interface Letters {
  readonly page: Component<LetterProps>;
  /** What it is called in the menu; empty where none came with this match. */
  name(setup: unknown, t: Translate): string;
  waits(table: string, setup: unknown): boolean;
  keep(table: string, setup: unknown): void;
}

/** What a game shows between the episodes of its campaign. */
export interface CampaignProps {
  table: TableInfo;
  campaign: CampaignInfo;
  names: readonly string[];
  busy: boolean;
  change(seat: number, wish: SeatChange): void;
  /** Play on from the start of a match that is over. */
  fork(match: number, play: 'practice' | 'campaign'): void;
}

/** What somebody asks about: a thing of the table by its kind, and whose it is. */
export interface ExplainRequest {
  readonly kind: string;
  /** Which of them; empty where there is one alone. */
  readonly which: string;
  readonly seat: number;
}

/** What a thing is, what it is worth now, and the rule behind it. */
export interface ThingExplanation {
  readonly title: string;
  readonly text: string;
  readonly now?: readonly string[];
  readonly rule?: string | undefined;
}

/** What can be done with a key or a gesture. */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

/** What is to be known of a table by whoever explains it. */
export type ExplainContext = Pick<GameScreenProps, 'view' | 'names' | 'seat' | 'focusSeat' | 'choices' | 'preview'>;

/** Explains the things of a table. */
export interface Explainer {
  /** Undefined for a thing that is none of this game's. */
  explain(
    asked: ExplainRequest,
    game: ExplainContext,
  ): ThingExplanation | undefined | Promise<ThingExplanation | undefined>;
  shortcuts(game: ExplainContext): readonly Shortcut[];
}

/** A part of the rules, in the order of play. */
export interface RuleSection {
  readonly name: string;
  /** The ids of its rules. */
  readonly rules: readonly string[];
  /** What it is illustrated with. */
  readonly pictures?: readonly string[];
  /** The positions on which a reader tries it. */
  readonly trials?: readonly string[];
}

/** A match that an aid of one screen is about. */
export interface AidMatch {
  /** What tells it from the others: its number. */
  readonly label: string;
  readonly setup: Readonly<Record<string, string | number>>;
}

/** The rules of a game, to be read; their words are in a book. */
export interface Rulebook {
  readonly sections: readonly RuleSection[];
  readonly picture: Component<{ name: string }>;
  readonly trial: Component<{ trial: Trial }>;
  /** All that holds and counts in a match, on one screen. */
  readonly aid: Component<{ view: unknown }>;
  aids(t: Translate): readonly AidMatch[];
  /** What comes after the sections, where a game keeps more; `find` is what the reader looks for. */
  readonly more?: Component<{ find: string }>;
  /** Brings what must be there before any of it is shown. */
  prepare(): Promise<void>;
}

/** A game as pages know it. */
export interface GameModule extends Omit<GameScreens, 'outline'> {
  /** Offered on the set-up page, the sensible default first. */
  readonly modes: readonly GameMode[];
}

/** What `games/<game>/card.ts` exports: what is known of a game before its screens arrive. */
export interface GameCard {
  /** Its place on the home page. */
  readonly order: number;
  /** The picture there. */
  art(): Promise<{ default: Component }>;
  /** Its words, which arrive with its screens. */
  readonly books: readonly string[];
  /** The groups of its modes, in the order in which they are told there. */
  readonly modes: readonly string[];
}

/** What `games/<game>/index.ts` exports. */
export interface GameScreens {
  /** What is known of the game before anybody plays it, of its newest content. */
  outline(): Promise<{ readonly modes: readonly GameMode[] }>;
  readonly screen: Component<GameScreenProps>;
  /** One event as a sentence for the log and the live region; empty if there is nothing to say. */
  describe(event: unknown, names: readonly string[], t: Translate): string;
  /** What of an event can be heard and felt. */
  feedbackOf(event: unknown): FeedbackKind | undefined;
  /** Whether an event is worth a line on the screens of others; the last one of a move is told. */
  isAnnounced(event: unknown): boolean;
  modeName(mode: GameMode, t: Translate): string;
  groupName?(group: string, t: Translate): string;
  /** What the match on the table is called beside its name: "Episode 3". */
  matchName?(setup: unknown, t: Translate): string;
  /** Those who play without a seat, in the order of the results after the seats. */
  others?(view: unknown, t: Translate): readonly string[];
  /** Whether a seat has finished before the others. */
  stopped?(view: unknown, seat: number): boolean;
  /** Whether all is counted, though the match may go on. */
  settled?(view: unknown): boolean;
  /** Somebody's city when all is over, and the lines of its score sheet that shine in it. */
  city(): Promise<{ default: Component<CityProps>; lines(view: unknown, seat: number): readonly string[] }>;
  /** A line of the score sheet. */
  lineName(line: string, t: Translate): string;
  /** An action as somebody advises it where the view is this: "Build at c4, c5". */
  actionName(action: unknown, t: Translate, view: unknown): string;
  /** What a choice does, as players say it: "covers rocks"; empty where there are no words for it. */
  saying(saying: Saying, t: Translate): string;
  /** What a bot weighs, in a few words. */
  featureName(feature: string, t: Translate): string;
  /** The chapter of a campaign that an episode belongs to. */
  chapterName?(episode: number, t: Translate): string;
  /** A line of the standings of a campaign; undefined if it is not to be shown. */
  standingLine?(line: Line, t: Translate): StandingLine | undefined;
  /** What has to arrive before a match, or a campaign that has come to it, can be shown. */
  prepare?(setup: unknown): Promise<void>;
  readonly letters?: Letters;
  /** The cities, the path and the story so far. */
  campaign?(): Promise<{ default: Component<CampaignProps> }>;
  /** The animal of a city, drawn. */
  emblem?(): Promise<{ default: Component<{ animal: NonNullable<SeatInfo['animal']> }> }>;
  /** The same on a sheet of paper, for the next evening. */
  campaignSheet?(): Promise<{ default: Component<Pick<CampaignProps, 'table' | 'campaign' | 'names'>> }>;
  /** Whether nobody here should see yet what a mode is about. */
  sealed?(mode: GameMode): boolean;
  /** A reason for a refusal in a few words; undefined if it is none of this game's. */
  reason(reason: Reason, t: Translate): string | undefined;
  /** The rule that stands behind a refusal. */
  ruleOf?(reason: Reason): string | undefined;
  /** What the things of its table are; arrives when somebody asks. */
  about?(): Promise<Explainer>;
  /** Its rules; arrive when somebody reads them. */
  rulebook?(): Promise<Rulebook>;
  /** What dice or cards may show, in words; where it is missing nothing can be prepared. */
  luckName?(luck: unknown, t: Translate): string;
  /** Whether the luck may come from real dice or cards that somebody types in; then `luck` is where. */
  readonly typedLuck?: boolean;
  readonly luck?: Component<LuckProps>;
  /** A match before its first move as something to print and to play with a pencil. */
  print?(): Promise<{ default: Component<{ view: unknown }> }>;
}

/** What lies before a seat, for those who explain it. */
export interface Moment<View = unknown, Event = unknown, Choice = unknown> {
  readonly view: View;
  readonly seat: number;
  /** What just happened. */
  readonly events: readonly Event[];
  readonly choices: readonly Choice[];
}

/** What `games/<game>/moments.ts` exports: what a guide may wait for, by name. */
export type Moments = Readonly<Record<string, (now: Moment<never, never, never>) => boolean>>;
