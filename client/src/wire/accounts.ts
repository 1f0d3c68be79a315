// Written by `make wire` from the server's types. Do not edit.

export type BotInfo = {
  readonly id: string;
  readonly name: string;
  readonly made: number;
  readonly tables: number;
  readonly tokens: readonly (TokenInfo)[];
};

export type CampaignStats = {
  readonly table: string | null;
  readonly played: number;
  readonly episodes: number;
  readonly seats: number;
  readonly score: number | null;
  readonly rank: number | null;
};

export type ChangeName = {
  readonly name: string;
};

export type CodeProof = {
  readonly word: string;
};

export type CreateBot = {
  readonly name: string;
};

export type CreateToken = {
  readonly name: string;
  readonly scopes?: readonly ("play" | "watch")[];
};

export type CreatedToken = {
  readonly token: string;
  readonly bots: OwnBots;
};

export type DeviceInfo = {
  readonly id: string;
  readonly name: string;
  readonly made: number;
  readonly seen: number;
  readonly here: boolean;
};

export type GameStats = {
  readonly game: string;
  readonly begun: number;
  readonly finished: number;
  readonly won: number;
  readonly kinds: readonly (VariantStats)[];
  readonly campaigns: readonly (CampaignStats)[];
  readonly against: readonly (OpponentRecord)[];
  readonly rating: PersonRating | null;
  readonly rungs: readonly (RungInfo)[];
};

export type MailSent = {
  readonly minutes: number;
};

export type OpponentRecord = {
  readonly name: string;
  readonly bot: string | null;
  readonly who: string | null;
  readonly outside: boolean;
  readonly won: number;
  readonly drawn: number;
  readonly lost: number;
};

export type OwnAccount = {
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

export type OwnChatMessage = {
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

export type PasskeyInfo = {
  readonly id: string;
  readonly name: string;
  readonly made: number;
};

export type PasskeyOptions = {
  readonly options: Record<string, unknown>;
};

export type PasskeyProof = {
  readonly credential: Record<string, unknown>;
};

export type PersonRating = {
  readonly rating: number;
  readonly margin: number;
  readonly games: number;
  readonly course: readonly (number)[];
};

export type PersonalData = {
  readonly me: OwnAccount;
  readonly tables: readonly (OwnTable)[];
  readonly who: Profile;
  readonly remarks: readonly (OwnChatMessage)[];
};

export type Profile = {
  readonly name: string | null;
  readonly account: boolean;
  readonly shared: string | null;
  readonly games: readonly (GameStats)[];
  readonly outside?: boolean;
};

export type ProofResult = {
  readonly ticket: string;
  readonly does: "add-mail" | "sign-in";
  readonly name: string | null;
  readonly tables: number;
  readonly here: number;
  readonly mail: string | null;
};

export type RemoveMail = {
  readonly address: string;
};

export type RequestMail = {
  readonly address: string;
  readonly language: string;
};

export type RungInfo = {
  readonly bot: string;
  readonly rating: number;
};

export type ScoreBucket = {
  readonly first: number;
  readonly last: number;
  readonly count: number;
};

export type SeatRating = {
  readonly seat: number;
  readonly rating: number;
  readonly margin: number;
  readonly games: number;
  readonly change: number | null;
};

export type ShareProfile = {
  readonly shared: boolean;
};

export type SignIn = {
  readonly ticket: string;
  readonly bring: boolean;
};

export type SignInCode = {
  readonly code: string;
  readonly picture: string;
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

export type VariantStats = {
  readonly kind: string;
  readonly count: number;
  readonly best: number;
  readonly mean: number;
  readonly buckets: readonly (ScoreBucket)[];
};
