// Written by `make wire` from the server's types. Do not edit.

export type Against = {
  readonly name: string;
  readonly bot: string | null;
  readonly who: string | null;
  readonly outside: boolean;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
};

export type AskLetter = {
  readonly address: string;
  readonly language: string;
};

export type Belonging = {
  readonly me: Me;
  readonly tables: readonly (OwnTable)[];
  readonly who: Who;
  readonly remarks: readonly (OwnRemark)[];
};

export type BotInfo = {
  readonly id: string;
  readonly name: string;
  readonly made: number;
  readonly tables: number;
  readonly tokens: readonly (TokenInfo)[];
};

export type Bucket = {
  readonly first: number;
  readonly last: number;
  readonly count: number;
};

export type CallMe = {
  readonly name: string;
};

export type CampaignFigures = {
  readonly table: string | null;
  readonly played: number;
  readonly episodes: number;
  readonly seats: number;
  readonly score: number | null;
  readonly rank: number | null;
};

export type DeviceInfo = {
  readonly id: string;
  readonly name: string;
  readonly made: number;
  readonly seen: number;
  readonly here: boolean;
};

export type Enter = {
  readonly ticket: string;
  readonly bring: boolean;
};

export type ForgetMail = {
  readonly address: string;
};

export type GameFigures = {
  readonly game: string;
  readonly begun: number;
  readonly finished: number;
  readonly won: number;
  readonly kinds: readonly (KindFigures)[];
  readonly campaigns: readonly (CampaignFigures)[];
  readonly against: readonly (Against)[];
  readonly rating: PersonRating | null;
  readonly rungs: readonly (RungInfo)[];
};

export type KindFigures = {
  readonly kind: string;
  readonly count: number;
  readonly best: number;
  readonly mean: number;
  readonly buckets: readonly (Bucket)[];
};

export type LetterSent = {
  readonly minutes: number;
};

export type MakeBot = {
  readonly name: string;
};

export type MakeToken = {
  readonly name: string;
  readonly scopes?: readonly ("play" | "watch")[];
};

export type Me = {
  readonly name: string | null;
  readonly account: boolean;
  readonly muted: boolean;
  readonly tables: number;
  readonly passkeys: readonly (PasskeyInfo)[];
  readonly mails: readonly (string)[];
  readonly code: number | null;
  readonly recovery: number | null;
  readonly devices: readonly (DeviceInfo)[];
  readonly mail: boolean;
};

export type OwnBots = {
  readonly bots: readonly (BotInfo)[];
  readonly most: number;
};

export type OwnCode = {
  readonly code: string;
  readonly picture: string;
};

export type OwnRemark = {
  readonly table: string;
  readonly time: number;
  readonly text: string;
};

export type OwnTable = {
  readonly table: string;
  readonly game: string;
  readonly campaign: boolean;
  readonly matches: number;
};

export type PasskeyAsked = {
  readonly options: Record<string, unknown>;
};

export type PasskeyInfo = {
  readonly id: string;
  readonly name: string;
  readonly made: number;
};

export type PersonRating = {
  readonly rating: number;
  readonly margin: number;
  readonly games: number;
  readonly course: readonly (number)[];
};

export type Proved = {
  readonly ticket: string;
  readonly does: "add-mail" | "sign-in";
  readonly name: string | null;
  readonly tables: number;
  readonly here: number;
  readonly mail: string | null;
};

export type RungInfo = {
  readonly bot: string;
  readonly rating: number;
};

export type SeatRating = {
  readonly seat: number;
  readonly rating: number;
  readonly margin: number;
  readonly games: number;
  readonly change: number | null;
};

export type ShareWho = {
  readonly shared: boolean;
};

export type ShowPasskey = {
  readonly credential: Record<string, unknown>;
};

export type ShowWord = {
  readonly word: string;
};

export type TableRatings = {
  readonly seats: readonly (SeatRating)[];
};

export type TokenInfo = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ("play" | "watch")[];
  readonly made: number;
  readonly seen: number;
};

export type TokenMade = {
  readonly token: string;
  readonly bots: OwnBots;
};

export type Who = {
  readonly name: string | null;
  readonly account: boolean;
  readonly shared: string | null;
  readonly games: readonly (GameFigures)[];
  readonly outside?: boolean;
};
