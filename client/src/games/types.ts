import type { Component, Snippet } from 'svelte';
import type { Translate } from '../i18n/index.svelte';
import type {
  BarredAction,
  CampaignInfo,
  Line,
  PreviewAnswer,
  Reason,
  Argument,
  SeatChange,
  SeatInfo,
  TableInfo,
  Trial,
} from '../wire/server';

export type SeatStatus = 'thinking' | 'ready' | 'waiting' | 'away' | 'stopped' | 'done';

/** The properties of a game screen. The page owns the connection; the screen draws the position and sends requests. */
export interface GameScreenProps {
  /** The view as sent: for My City `mycity.View`. */
  view: unknown;
  names: readonly string[];
  /** One per seat. */
  status: readonly SeatStatus[];
  /** The seat that this screen plays now; null for spectators, results and replays. */
  seat: number | null;
  choices: readonly unknown[];
  /** Actions that are usually possible, such as passing, and are illegal now, with their reasons. */
  barred: readonly BarredAction[];
  /** The decision of this seat while others are due. */
  staged: unknown;
  /** The last events, for animations; empty after a jump. */
  events: readonly unknown[];
  act(action: unknown): void;
  retract(): void;
  /** Returns the reason why an action is illegal; null if it is legal. */
  why(action: unknown): Promise<Reason | null>;
  /** Returns the effect of an action of this seat alone. */
  preview(action: unknown): Promise<Preview>;
  /** The advice of a bot; in a review the alternatives. */
  hint?: ShownHint | null;
  /** The seat whose board is large where no seat plays: in a replay, and after the match. */
  focusSeat?: number;
  /** Content beside the name of a player: a clock. */
  beside?: Snippet<[seat: number]> | undefined;
  /** The state of the count at the end of a match, on its large board. */
  counting?: Counting | null;
}

/** The state of the count of the score sheets. */
export interface Counting {
  /** The current line, whose cells or cards are highlighted; null before the first and after the last one. */
  readonly line: string | null;
  /** The counted lines, including the current one. */
  readonly lines: ReadonlySet<string>;
  /** The counted points of each player. */
  readonly totals: readonly number[];
  /** Replaces the hand bar. */
  readonly bar: Snippet;
}

/** The properties of a finished city: one read-only drawing. */
export interface CityProps {
  view: unknown;
  seat: number;
  name: string;
  /** The line of the score sheet whose cells or cards are highlighted. */
  lit?: string | null;
}

/** Kinds of sounds and vibrations at a table. */
export type FeedbackKind = 'place' | 'turn' | 'dice' | 'seal' | 'gold' | 'yours';

/** The effect of an action: lines of the score sheet, events, and the view after it; null if the action is illegal. */
export type Preview = Pick<PreviewAnswer, 'changes' | 'events' | 'view'>;

/** Actions that a bot advises, the best first, and the selected one. */
export interface ShownHint {
  readonly actions: readonly unknown[];
  readonly chosen: number;
}

/** The options of a game when a table is created. */
export interface GameMode {
  /** Without the seats, which are counted. */
  readonly setup: Readonly<Record<string, unknown>>;
  /** The episodes of a campaign, in order; absent for single matches. */
  readonly plan?: readonly number[];
  /** The supported numbers of seats; absent: all of the game. */
  readonly seats?: readonly number[];
  /** Modes of one group are offered together, under the name from `groupName`. */
  readonly group?: string;
}

/** The properties of the form for the luck of real dice or cards. */
export interface LuckProps {
  view: unknown;
  choices: readonly unknown[];
  act(action: unknown): void;
}

/** A line of the standings of a campaign, as text. */
export interface StandingLine {
  readonly name: string;
  readonly value: string;
  /** A sum of other lines. */
  readonly strong?: boolean;
}

/** The properties of the letter before a match. */
export interface LetterProps {
  table: TableInfo;
  setup: unknown;
  /** Whether it is opened for the first time on this screen. */
  fresh: boolean;
  change(seat: number, wish: SeatChange): void;
  ondone(): void;
}

/** The letters before some matches, and whether they are read. */
export interface Letters {
  readonly page: Component<LetterProps>;
  /** Returns its name in the menu; empty if this match has no letter. */
  name(setup: unknown, t: Translate): string;
  waits(table: string, setup: unknown): boolean;
  keep(table: string, setup: unknown): void;
}

/** The properties of the page between the episodes of a campaign. */
export interface CampaignProps {
  table: TableInfo;
  campaign: CampaignInfo;
  names: readonly string[];
  busy: boolean;
  change(seat: number, wish: SeatChange): void;
  /** Starts a new table from the start of a finished match. */
  fork(match: number, play: 'practice' | 'campaign'): void;
}

/** A question about a thing of the table: its kind and its owner. */
export interface ExplainRequest {
  readonly kind: string;
  /** The thing of this kind; empty if there is only one. */
  readonly which: string;
  readonly seat: number;
}

/** An explanation of a thing: its meaning, its current value, and its rule. */
export interface ThingExplanation {
  readonly title: string;
  readonly text: string;
  readonly now?: readonly string[];
  readonly rule?: string | undefined;
}

/** A key or gesture and its effect. */
export interface Shortcut {
  readonly keys: string;
  readonly does: string;
}

/** The state of a table that explanations need. */
export type ExplainContext = Pick<GameScreenProps, 'view' | 'names' | 'seat' | 'focusSeat' | 'choices' | 'preview'>;

/** Explains the things of a table. */
export interface Explainer {
  /** Returns undefined for a thing that this game does not have. */
  explain(
    asked: ExplainRequest,
    game: ExplainContext,
  ): ThingExplanation | undefined | Promise<ThingExplanation | undefined>;
  shortcuts(game: ExplainContext): readonly Shortcut[];
}

/** A section of the rules, in the order of play. */
export interface RuleSection {
  readonly name: string;
  /** The ids of its rules. */
  readonly rules: readonly string[];
  /** The names of its illustrations. */
  readonly pictures?: readonly string[];
  /** The positions on which a reader can try it. */
  readonly trials?: readonly string[];
}

/** A match that has an aid on one page. */
export interface AidMatch {
  /** The label that distinguishes it from the others: its number. */
  readonly label: string;
  readonly setup: Readonly<Record<string, string | number>>;
}

/** The rules of a game for reading; their texts are in a book. */
export interface Rulebook {
  readonly sections: readonly RuleSection[];
  readonly picture: Component<{ name: string }>;
  readonly trial: Component<{ trial: Trial }>;
  /** The rules and the scoring of a match on one page. */
  readonly aid: Component<{ view: unknown }>;
  aids(t: Translate): readonly AidMatch[];
  /** Content after the sections; `find` is the search text. */
  readonly more?: Component<{ find: string }>;
  /** Loads the texts that the rules need. */
  prepare(): Promise<void>;
}

/** A game as pages know it. */
export interface GameModule extends Omit<GameScreens, 'outline'> {
  /** The modes of the set-up page, the default first. */
  readonly modes: readonly GameMode[];
}

/** The export of `games/<game>/card.ts`: the data of a game before its screens are loaded. */
export interface GameCard {
  /** Its position on the home page. */
  readonly order: number;
  /** Loads its picture. */
  art(): Promise<{ default: Component }>;
  /** The books of texts that its screens need. */
  readonly books: readonly string[];
  /** The groups of its modes, in their order on the home page. */
  readonly modes: readonly string[];
}

/** The export of `games/<game>/index.ts`. */
export interface GameScreens {
  /** Loads the outline of the newest content of the game. */
  outline(): Promise<{ readonly modes: readonly GameMode[] }>;
  readonly screen: Component<GameScreenProps>;
  /** Describes an event in a sentence for the log and the live region; empty if it is not reported. */
  describe(event: unknown, names: readonly string[], t: Translate): string;
  /** Returns the sound and vibration of an event. */
  feedbackOf(event: unknown): FeedbackKind | undefined;
  /** Whether an event is shown to other players; the last one of a move is shown. */
  isAnnounced(event: unknown): boolean;
  modeName(mode: GameMode, t: Translate): string;
  groupName?(group: string, t: Translate): string;
  /** Returns the subtitle of a match: "Episode 3". */
  matchName?(setup: unknown, t: Translate): string;
  /** Returns the players without a seat, in the order of the results after the seats. */
  others?(view: unknown, t: Translate): readonly string[];
  /** Whether a seat has finished before the others. */
  stopped?(view: unknown, seat: number): boolean;
  /** Whether all points are counted, though the match may continue. */
  settled?(view: unknown): boolean;
  /** Loads the finished city of a seat, and the lines of its score sheet that can be highlighted. */
  city(): Promise<{ default: Component<CityProps>; lines(view: unknown, seat: number): readonly string[] }>;
  /** Names a line of the score sheet. */
  lineName(line: string, t: Translate): string;
  /** Names an advised action in a view: "Build at c4, c5". */
  actionName(action: unknown, t: Translate, view: unknown): string;
  /** Describes the effect of a choice in the words of players: "covers rocks"; empty if it has no text. */
  saying(saying: Argument, t: Translate): string;
  /** Names a feature that a bot weighs. */
  featureName(feature: string, t: Translate): string;
  /** Names the chapter of an episode of a campaign. */
  chapterName?(episode: number, t: Translate): string;
  /** Describes a line of the standings of a campaign; undefined for hidden lines. */
  standingLine?(line: Line, t: Translate): StandingLine | undefined;
  /** Loads what a match or a campaign needs before it is shown. */
  prepare?(setup: unknown): Promise<void>;
  readonly letters?: Letters;
  /** Loads the page between episodes: the cities, the path and the story so far. */
  campaign?(): Promise<{ default: Component<CampaignProps> }>;
  /** Loads the drawing of a city's animal. */
  emblem?(): Promise<{ default: Component<{ animal: NonNullable<SeatInfo['animal']> }> }>;
  /** Loads the campaign as a printable sheet. */
  campaignSheet?(): Promise<{ default: Component<Pick<CampaignProps, 'table' | 'campaign' | 'names'>> }>;
  /** Whether the content of a mode is still sealed on this device. */
  sealed?(mode: GameMode): boolean;
  /** Describes the reason of a refusal; undefined for reasons that the game does not know. */
  reason(reason: Reason, t: Translate): string | undefined;
  /** Returns the id of the rule behind a refusal. */
  ruleOf?(reason: Reason): string | undefined;
  /** Loads the explanations of the things of its table. */
  about?(): Promise<Explainer>;
  /** Loads its rules. */
  rulebook?(): Promise<Rulebook>;
  /** Describes a result of dice or cards; a game without it has no prepared plans. */
  luckName?(luck: unknown, t: Translate): string;
  /** Whether the luck may be typed in from real dice or cards; `luck` is the form. */
  readonly typedLuck?: boolean;
  readonly luck?: Component<LuckProps>;
  /** Loads a printable sheet of a match before its first move. */
  print?(): Promise<{ default: Component<{ view: unknown }> }>;
}

/** The state of a seat for explanations. */
export interface Moment<View = unknown, Event = unknown, Choice = unknown> {
  readonly view: View;
  readonly seat: number;
  /** The last events. */
  readonly events: readonly Event[];
  readonly choices: readonly Choice[];
}

/** The export of `games/<game>/moments.ts`: the conditions of guides, by name. */
export type Moments = Readonly<Record<string, (now: Moment<never, never, never>) => boolean>>;
