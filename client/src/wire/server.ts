// Written by `make wire` from the server's types. Do not edit.

export type Act = {
  readonly type: "act";
  readonly seat: number;
  readonly turn: number;
  readonly action: unknown;
};

export type AllowBotDecisions = {
  readonly type: "entrust";
  readonly bot: number;
};

export type Argument = {
  readonly feature: string;
  readonly how: "gains" | "keeps" | "loses" | "misses";
};

export type Arrange = {
  readonly invites: string | null;
  readonly talk: boolean;
};

export type AskFor = {
  readonly type: "ask-for";
  readonly seat: number;
  readonly wish: ChangePace | EndEarly | AllowBotDecisions;
};

export type AskFuture = {
  readonly type: "foresee";
  readonly ask: number;
  readonly seat: number;
  readonly luck?: unknown;
};

export type AskHint = {
  readonly type: "ask-hint";
  readonly ask: number;
  readonly seat: number;
};

export type AskReason = {
  readonly type: "why";
  readonly ask: number;
  readonly seat: number;
  readonly action: unknown;
};

export type AskTakeback = {
  readonly type: "ask-takeback";
  readonly seat: number;
};

export type BarredAction = {
  readonly action: unknown;
  readonly reason: Reason;
};

export type BotSeat = {
  readonly type: "bot";
  readonly bot: string;
};

export type Branch = {
  readonly moves: number;
  readonly seat: number;
};

export type CampaignInfo = {
  readonly episodes: readonly (PlayedEpisode)[];
};

export type ChangePace = {
  readonly type: "change-pace";
  readonly pace: UntimedPace | LivePace | Correspondence;
};

export type ChatHistory = {
  readonly remarks: readonly (ChatMessageView)[];
  readonly ignored: readonly (number)[];
  readonly muted: boolean;
};

export type ChatMessageAdded = {
  readonly type: "said";
  readonly remark: ChatMessageView;
};

export type ChatMessageView = {
  readonly id: string;
  readonly seat: number | null;
  readonly name: string;
  readonly text: string;
  readonly time: number;
  readonly yours: boolean;
  readonly ignored?: boolean;
};

export type Clocks = {
  readonly now: number;
  readonly seats: readonly (SeatClock)[];
};

export type Consent = {
  readonly type: "consent";
  readonly yes: boolean;
};

export type ConsentUpdate = {
  readonly type: "asking";
  readonly seat: number;
  readonly wish: Takeback | ChangePace | EndEarly | AllowBotDecisions | Rematch;
  readonly waiting: readonly (number)[];
};

export type ConsideredAction = {
  readonly action: unknown;
  readonly expected: number;
  readonly features: Record<string, number>;
  readonly pro: readonly (Argument)[];
  readonly con: readonly (Argument)[];
};

export type Correspondence = {
  readonly type: "correspondence";
  readonly days: 1 | 2 | 3 | 7 | 14;
  readonly bank: number;
};

export type CreateTable = {
  readonly game: string;
  readonly setup: Record<string, unknown>;
  readonly seats: readonly (OwnSeat | OpenSeat | BotSeat)[];
  readonly seed?: string | null;
  readonly plan?: readonly (number)[];
  readonly luck?: "dealt" | "typed";
  readonly pace?: UntimedPace | LivePace | Correspondence | null;
  readonly rated?: boolean;
  readonly invites?: string | null;
  readonly talk?: boolean;
  readonly outsiders?: boolean;
};

export type DailyCalendar = {
  readonly today: string;
  readonly left: number;
  readonly games: readonly (string)[];
  readonly streak: number;
  readonly longest: number;
  readonly tries: readonly (OwnDailyTry)[];
  readonly days: readonly (string)[];
};

export type DailyGame = {
  readonly game: string;
  readonly setup: unknown;
  readonly bots: readonly (string)[];
  readonly commitment: string;
  readonly drawn: number;
  readonly promised: boolean;
  readonly seed: string | null;
  readonly par: number | null;
  readonly counted: number;
  readonly mine: OwnDailyTry | null;
  readonly lines: readonly (LeaderboardEntry)[];
};

export type DailyInfo = {
  readonly day: string;
  readonly today: string;
  readonly left: number;
  readonly games: readonly (DailyGame)[];
  readonly tomorrow: readonly (SeedCommitment)[];
};

export type DiscardPremove = {
  readonly type: "forget";
  readonly seat: number;
  readonly luck: unknown;
};

export type EndEarly = {
  readonly type: "end-early";
};

export type EndVacation = {
  readonly type: "come-back";
};

export type Explanation = {
  readonly bot: string;
  readonly simulations: number;
  readonly final: boolean;
  readonly options: readonly (ConsideredAction)[];
};

export type FallbackDecision = {
  readonly type: "stood-in";
  readonly seat: number;
  readonly bot: string;
  readonly by: string;
};

export type Fork = {
  readonly play: "campaign" | "practice";
  readonly seat: number;
};

export type FutureAnswer = {
  readonly type: "foreseen";
  readonly ask: number;
  readonly lucks: readonly (unknown)[];
  readonly view?: unknown;
  readonly choices?: readonly (unknown)[];
};

export type GameInfo = {
  readonly game: string;
  readonly seats: readonly (number)[];
  readonly bots: readonly (string)[];
  readonly usual: string;
  readonly first: string;
  readonly plans: Record<string, readonly (number)[]>;
  readonly measured?: readonly (string)[];
};

export type GiveTime = {
  readonly type: "give-time";
  readonly seat: number;
  readonly to: number;
};

export type HandOver = {
  readonly type: "hand-over";
  readonly name: string;
};

export type Hint = {
  readonly type: "hint";
  readonly ask: number;
  readonly explanation: Explanation | null;
  readonly reason?: Reason | null;
};

export type Ignore = {
  readonly ignored: boolean;
  readonly seat?: number | null;
  readonly remark?: string | null;
};

export type Import = {
  readonly record: Record<string, unknown>;
  readonly luck?: "dealt" | "typed";
};

export type Join = {
  readonly type: "join";
  readonly name: string;
};

export type LeaderboardEntry = {
  readonly rank: number;
  readonly name: string;
  readonly score: number;
  readonly percentile: number | null;
  readonly above: number | null;
  readonly yours: boolean;
  readonly table: string | null;
};

export type Leave = {
  readonly type: "leave";
};

export type Line = {
  readonly line: string;
  readonly count: number;
  readonly points: number;
};

export type LivePace = {
  readonly type: "live";
  readonly minutes: number;
  readonly seconds: number;
};

export type MatchChanged = {
  readonly type: "news";
  readonly scene: Scene;
  readonly mine: readonly (SeatState)[];
  readonly clocks?: Clocks | null;
};

export type MatchInfo = {
  readonly number: number;
  readonly setup: unknown;
  readonly commitment: string | null;
  readonly practice: boolean;
  readonly over: boolean;
  readonly playable: boolean;
  readonly seed: string | null;
  readonly practice_for?: "day" | "episode" | "hint" | "import" | "position" | "takeback" | null;
  readonly ended?: boolean;
  readonly imported?: number | null;
  readonly rated?: "guest" | "hint" | "owner" | "substitute" | "takeback" | "yes" | null;
};

export type MatchStart = {
  readonly setup: unknown;
  readonly view: unknown;
};

export type MessageRefused = {
  readonly type: "refused";
  readonly seat: number;
  readonly reason: Reason;
  readonly mine: readonly (SeatState)[];
};

export type NameCity = {
  readonly type: "name-city";
  readonly city: string;
  readonly animal: "bear" | "beaver" | "deer" | "duck" | "fish" | "fox" | "frog" | "hare" | "hedgehog" | "owl" | "snail" | "squirrel";
};

export type NewHook = {
  readonly type: "hook";
  readonly url: string;
  readonly language?: string;
};

export type NewMail = {
  readonly type: "mail";
  readonly address: string;
  readonly language?: string;
};

export type NewPush = {
  readonly type: "push";
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  readonly language?: string;
};

export type NotificationPreferences = {
  readonly zone?: string;
  readonly quiet_from?: number | null;
  readonly quiet_to?: number | null;
  readonly daily?: number | null;
};

export type NotificationSettings = {
  readonly receivers: readonly (ReceiverInfo)[];
  readonly manners: NotificationPreferences;
  readonly key: string;
  readonly mail: boolean;
};

export type OpenSeat = {
  readonly type: "open";
};

export type OpenTable = {
  readonly table: TableInfo;
  readonly setup: unknown;
};

export type OpenTables = {
  readonly tables: readonly (OpenTable)[];
};

export type OwnDailyTry = {
  readonly day: string;
  readonly game: string;
  readonly status: "counted" | "late" | "playing" | "practice" | "refused";
  readonly score: number | null;
  readonly table: string;
};

export type OwnRestHours = {
  readonly nights: boolean;
  readonly weekends: boolean;
  readonly evening: number;
  readonly morning: number;
  readonly longest_night: number;
  readonly until: number | null;
  readonly since?: number | null;
};

export type OwnSeat = {
  readonly type: "me";
  readonly name: string;
};

export type OwnSeats = {
  readonly type: "yours";
  readonly mine: readonly (SeatState)[];
};

export type OwnVacation = {
  readonly days_left: number;
};

export type PageVisibility = {
  readonly type: "look";
  readonly here: boolean;
};

export type PastEvents = {
  readonly moves: number;
  readonly rounds: readonly (readonly (unknown)[])[];
};

export type PersonalBest = {
  readonly score: number;
  readonly best: number | null;
  readonly title: number | null;
  readonly next: number | null;
};

export type PlayDaily = {
  readonly name: string;
};

export type PlayedEpisode = {
  readonly number: number;
  readonly setup: unknown;
  readonly practice: boolean;
  readonly players: readonly (string)[];
  readonly result: Result;
  readonly standings: Result;
  readonly events: readonly (unknown)[];
  readonly view: unknown;
};

export type Premove = {
  readonly luck: unknown;
  readonly action: unknown;
  readonly moves: number;
  readonly dropped?: Reason | null;
  readonly grounds?: readonly (string)[];
};

export type PreparePremove = {
  readonly type: "prepare";
  readonly seat: number;
  readonly luck: unknown;
  readonly action: unknown;
};

export type Preview = {
  readonly type: "preview";
  readonly ask: number;
  readonly seat: number;
  readonly action: unknown;
};

export type PreviewAnswer = {
  readonly type: "previewed";
  readonly ask: number;
  readonly changes: readonly (ScoreChange)[];
  readonly events: readonly (unknown)[];
  readonly view: unknown;
};

export type PutBot = {
  readonly type: "put-bot";
  readonly bot: string;
};

export type ReactionShown = {
  readonly type: "reacted";
  readonly seat: number;
  readonly reaction: "applause" | "sorry" | "thinking" | "wave";
};

export type Reason = {
  readonly code: string;
  readonly about?: Record<string, string | number | readonly (string)[]>;
};

export type ReasonAnswer = {
  readonly type: "because";
  readonly ask: number;
  readonly reason: Reason | null;
};

export type ReceiverInfo = {
  readonly id: string;
  readonly kind: "hook" | "mail" | "push";
  readonly where: string;
  readonly proven: boolean;
  readonly made: number;
  readonly secret?: string | null;
};

export type ReclaimSeat = {
  readonly type: "return";
};

export type Rematch = {
  readonly type: "play-again";
};

export type Replay = {
  readonly match: MatchInfo;
  readonly names: readonly (string)[];
  readonly stops: readonly (number)[];
  readonly frames: readonly (ReplayFrame)[];
};

export type ReplayFrame = {
  readonly moves: number;
  readonly events: readonly (unknown)[];
  readonly view: unknown;
  readonly result: Result;
};

export type ReplayFrameList = {
  readonly first: number;
  readonly frames: readonly (ReplayFrame)[];
};

export type Result = {
  readonly scores: readonly (number)[];
  readonly ranks: readonly (number)[];
  readonly sheets: readonly (readonly (Line)[])[];
};

export type Retract = {
  readonly type: "retract";
  readonly seat: number;
  readonly turn: number;
};

export type ReviewState = {
  readonly done: number;
  readonly answer: number;
  readonly final: boolean;
  readonly review?: unknown;
};

export type Scene = {
  readonly match: MatchInfo;
  readonly number: number;
  readonly moves: number;
  readonly events: readonly (unknown)[];
  readonly view: unknown;
  readonly due: readonly (number)[];
  readonly decided: readonly (number)[];
  readonly result: Result;
  readonly standings: Result | null;
  readonly lasting: boolean;
  readonly back?: boolean;
};

export type ScoreChange = {
  readonly line: string;
  readonly before: Line | null;
  readonly after: Line | null;
};

export type ScoreHistory = {
  readonly moves: readonly (number)[];
  readonly scores: readonly (readonly (number)[])[];
};

export type SeatClock = {
  readonly seat: number;
  readonly left: number;
  readonly runs: boolean;
  readonly deadline: number | null;
  readonly rests: "night" | "vacation" | "weekend" | null;
};

export type SeatCode = {
  readonly code: string;
};

export type SeatDecided = {
  readonly type: "decided";
  readonly due: readonly (number)[];
  readonly decided: readonly (number)[];
  readonly mine: readonly (SeatState)[];
  readonly clocks?: Clocks | null;
};

export type SeatInfo = {
  readonly seat: number;
  readonly name: string;
  readonly kind: "bot" | "open" | "person";
  readonly bot: string | null;
  readonly online: boolean;
  readonly replaceable: boolean;
  readonly city: string | null;
  readonly animal: "bear" | "beaver" | "deer" | "duck" | "fish" | "fox" | "frog" | "hare" | "hedgehog" | "owl" | "snail" | "squirrel" | null;
  readonly deadline?: number | null;
  readonly entrusted?: boolean;
  readonly outside?: boolean;
};

export type SeatState = {
  readonly seat: number;
  readonly turn: number;
  readonly choices: readonly (unknown)[];
  readonly staged: unknown;
  readonly free: boolean;
  readonly played: boolean;
  readonly barred: readonly (BarredAction)[];
  readonly prepared?: readonly (Premove)[];
  readonly foresees?: boolean;
};

export type SeatTaken = {
  readonly table: string;
  readonly seat: number;
};

export type SeedCommitment = {
  readonly game: string;
  readonly commitment: string;
  readonly drawn: number;
};

export type SendChatMessage = {
  readonly text: string;
};

export type SendReaction = {
  readonly reaction: "applause" | "sorry" | "thinking" | "wave";
  readonly seat: number;
};

export type SetListed = {
  readonly listed: boolean;
};

export type SetRestHours = {
  readonly type: "keep-hours";
  readonly nights: boolean;
  readonly weekends: boolean;
  readonly zone: string;
  readonly evening?: number;
  readonly morning?: number;
};

export type SiteInfo = {
  readonly version: string;
  readonly address: string;
  readonly games: readonly (GameInfo)[];
  readonly name: string | null;
  readonly tables: readonly (TableInfo)[];
  readonly unreadable: readonly (UnreadableTable)[];
};

export type Solution = {
  readonly move: number;
  readonly action: unknown;
  readonly beside: unknown;
};

export type SolutionGrade = {
  readonly right: boolean;
  readonly lacks: unknown;
};

export type StartVacation = {
  readonly type: "go-away";
  readonly days: number;
};

export type TableChanged = {
  readonly type: "people";
  readonly table: TableInfo;
  readonly mine: readonly (SeatState)[];
  readonly clocks?: Clocks | null;
};

export type TableCreated = {
  readonly table: string;
};

export type TableInfo = {
  readonly table: string;
  readonly game: string;
  readonly chosen_seed: string | null;
  readonly seats: readonly (SeatInfo)[];
  readonly yours: readonly (number)[];
  readonly match: MatchInfo | null;
  readonly due: readonly (number)[];
  readonly matches: number;
  readonly luck: "dealt" | "typed";
  readonly plan: readonly (number)[];
  readonly standings: Result | null;
  readonly changed: number;
  readonly onlookers: number;
  readonly maker: number | null;
  readonly pace: UntimedPace | LivePace | Correspondence;
  readonly rest?: OwnRestHours | null;
  readonly daily?: string | null;
  readonly rated?: boolean;
  readonly invites?: string | null;
  readonly talk?: boolean | null;
  readonly again?: readonly (number)[];
  readonly outsiders?: boolean;
  readonly asked?: readonly (number)[];
  readonly waiting?: boolean;
  readonly own_deadline?: number | null;
};

export type Takeback = {
  readonly type: "go-back";
  readonly moves: number;
  readonly past_reveal: boolean;
};

export type TestDelivery = {
  readonly how: "failed" | "gone" | "refused" | "told";
  readonly why: string;
};

export type Trial = {
  readonly name: string;
  readonly seat: number;
  readonly view: unknown;
  readonly tries: readonly (TrialAction)[];
};

export type TrialAction = {
  readonly action: unknown;
  readonly reason?: Reason | null;
  readonly changes?: readonly (ScoreChange)[];
};

export type Trials = {
  readonly trials: readonly (Trial)[];
};

export type TurnAway = {
  readonly type: "turn-away";
  readonly bot?: string | null;
};

export type TurnedAway = {
  readonly type: "turned-away";
};

export type UnreadableTable = {
  readonly table: string;
  readonly game: string;
  readonly problem: string;
};

export type UntimedPace = {
  readonly type: "unhurried";
};

export type UseSeatCode = {
  readonly code: string;
  readonly name?: string | null;
};

export type Welcome = {
  readonly type: "welcome";
  readonly version: string;
  readonly table: TableInfo;
  readonly scene: Scene | null;
  readonly mine: readonly (SeatState)[];
  readonly asked: ConsentUpdate | null;
  readonly clocks?: Clocks | null;
};

export type FromScreen = Act | Retract | AskReason | Preview | AskTakeback | AskFor | GiveTime | AskHint | AskFuture | PreparePremove | DiscardPremove | Consent | PageVisibility;

export type ToScreen = Welcome | MatchChanged | SeatDecided | TableChanged | OwnSeats | MessageRefused | ReasonAnswer | PreviewAnswer | ConsentUpdate | Hint | FutureAnswer | FallbackDecision | ChatMessageAdded | ReactionShown | TurnedAway;

export type SeatChange = Join | Leave | PutBot | ReclaimSeat | HandOver | NameCity | TurnAway | SetRestHours | StartVacation | EndVacation;

export type Pace = UntimedPace | LivePace | Correspondence;
