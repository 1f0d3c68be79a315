// Written by `make wire` from the server's types. Do not edit.

export type AutomaView = {
  readonly level: "easy" | "hard" | "medium";
  readonly cells: readonly (string)[];
};

export type Built = {
  readonly type: "built";
  readonly seat: number;
  readonly card: string;
};

export type CardOutline = {
  readonly title: string;
  readonly kind: "civic" | "points" | "resource";
};

export type CardView = {
  readonly card: string;
  readonly title: string;
  readonly tier: number;
  readonly face: string;
  readonly kind: "civic" | "points" | "resource";
  readonly resource: "community" | "ecology" | "economy" | "energy" | "industry";
  readonly cost: Record<string, number>;
  readonly points: number;
};

export type CellView = {
  readonly cell: string;
  readonly tier: number | null;
  readonly face: string | null;
  readonly building: CardView | null;
  readonly kinds: readonly ("civic" | "points" | "resource")[];
  readonly next: "building" | "resource" | null;
};

export type Dealt = {
  readonly type: "dealt";
  readonly at: string;
  readonly face: string;
};

export type DeckView = {
  readonly top: string | null;
  readonly tier: number | null;
  readonly coming: readonly (string | null)[];
  readonly cards: number;
  readonly left: Record<string, number>;
  readonly unseen: Record<string, Record<string, number>>;
  readonly unshown: Record<string, Record<string, Record<string, number>>>;
};

export type Draw = {
  readonly type: "draw";
};

export type Drew = {
  readonly type: "drew";
  readonly seat: number;
  readonly face: string;
};

export type Ended = {
  readonly type: "ended";
};

export type FaceOutline = {
  readonly sign: "community" | "ecology" | "economy" | "energy" | "industry" | "ingenuity";
  readonly symbols: number;
};

export type FirstNamed = {
  readonly type: "first-named";
  readonly seat: number;
};

export type Flip = {
  readonly type: "flip";
  readonly at: string;
};

export type Flipped = {
  readonly type: "flipped";
  readonly seat: number;
  readonly at: string;
};

export type Line = {
  readonly line: string;
  readonly count: number;
  readonly points: number;
};

export type LineAsDrawn = {
  readonly type: "line-as-drawn";
};

export type LineUp = {
  readonly type: "line";
  readonly token: string;
};

export type LinedUp = {
  readonly type: "lined-up";
  readonly seat: number;
  readonly token: string;
};

export type Mode = {
  readonly group: string;
  readonly setup: Record<string, unknown>;
  readonly plan?: readonly (number)[];
  readonly seats?: readonly (number)[];
};

export type NameFirst = {
  readonly type: "first";
  readonly seat: number;
};

export type Offer = {
  readonly cells: [string, string];
  readonly price?: readonly (Share)[];
  readonly short?: number;
  readonly left?: Record<string, number> | null;
};

export type Outline = {
  readonly content: number;
  readonly modes: readonly (Mode)[];
  readonly rules: RuleIds;
  readonly faces: Record<string, FaceOutline>;
  readonly cards: Record<string, CardOutline>;
  readonly tokens: Record<string, TokenOutline>;
};

export type Paid = {
  readonly type: "paid";
  readonly seat: number;
  readonly cards: readonly (string)[];
};

export type Pay = {
  readonly type: "pay";
  readonly cards: readonly (string)[];
};

export type PickToken = {
  readonly type: "token";
  readonly token: string;
};

export type PlayerView = {
  readonly stock: Record<string, number>;
  readonly city: readonly (CardView)[];
  readonly permanents: Record<string, number>;
  readonly tokens: readonly (string)[];
  readonly turns_left: number;
  readonly counted: Record<string, readonly (number)[]>;
};

export type Result = {
  readonly scores: readonly (number)[];
  readonly ranks: readonly (number)[];
  readonly sheets: readonly (readonly (Line)[])[];
};

export type RuleIds = {
  readonly reasons: Record<string, string>;
  readonly lines: Record<string, string>;
};

export type Setup = {
  readonly seats: number;
  readonly automa?: "easy" | "hard" | "medium";
  readonly tokens?: "chosen";
  readonly content?: number;
};

export type Share = {
  readonly resource: "community" | "ecology" | "economy" | "energy" | "industry";
  readonly cost: number;
  readonly free?: number;
  readonly lacking?: number;
};

export type ShowBuilding = {
  readonly type: "building";
  readonly at: string;
  readonly card: string;
};

export type ShowFace = {
  readonly type: "face";
  readonly face: string;
};

export type Skip = {
  readonly type: "skip";
};

export type Skipped = {
  readonly type: "skipped";
  readonly seat: number;
};

export type TableView = {
  readonly setup: Setup;
  readonly market: readonly (CellView)[];
  readonly deck: DeckView;
  readonly players: readonly (PlayerView)[];
  readonly tokens: readonly (TokenView)[];
  readonly line: readonly (string)[];
  readonly to_line_up: number;
  readonly automa: AutomaView | null;
  readonly turn: number;
  readonly turns: number;
  readonly phase: "choose" | "draw" | "first" | "flip" | "line" | "opening" | "over" | "pay" | "refill" | "take" | "token" | "tokens" | "top" | "turn";
  readonly buying: readonly (CardView)[];
  readonly bill: readonly (Share)[];
  readonly offers: readonly (Offer)[];
  readonly civic: number;
  readonly acting: readonly (number)[];
  readonly over: boolean;
  readonly result: Result;
  readonly par: number | null;
};

export type Take = {
  readonly type: "take";
  readonly cells: readonly (string)[];
};

export type TokenLaidOut = {
  readonly type: "token-laid-out";
  readonly token: string;
};

export type TokenOutline = {
  readonly counts: "all" | "flat" | "none" | "same" | "signs";
  readonly points: number;
  readonly signs: readonly ("community" | "ecology" | "economy" | "energy" | "industry" | "ingenuity")[];
  readonly copies: number;
};

export type TokenTaken = {
  readonly type: "token-taken";
  readonly seat: number;
  readonly token: string;
};

export type TokenView = {
  readonly token: string;
  readonly worth: readonly (Worth)[];
};

export type Took = {
  readonly type: "took";
  readonly seat: number;
  readonly cells: readonly (string)[];
  readonly cards: readonly (string)[];
};

export type TopShown = {
  readonly type: "top-shown";
  readonly face: string;
};

export type Turned = {
  readonly type: "turned";
  readonly at: string;
  readonly card: string;
};

export type View = {
  readonly table: TableView;
  readonly seat: number | null;
  readonly choices: readonly (PickToken | NameFirst | ShowFace | ShowBuilding | LineUp | LineAsDrawn | Flip | Take | Draw | Pay | Skip)[];
};

export type Worth = {
  readonly now: number;
  readonly most: number;
};

export type Action = PickToken | NameFirst | ShowFace | ShowBuilding | LineUp | LineAsDrawn | Flip | Take | Draw | Pay | Skip;

export type Event = TokenLaidOut | FirstNamed | TopShown | Dealt | Turned | LinedUp | Flipped | Took | Drew | Paid | Built | TokenTaken | Skipped | Ended;
