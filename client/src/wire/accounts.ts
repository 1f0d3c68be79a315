// Written by `make wire` from the server's types. Do not edit.

export type AskLetter = {
  readonly address: string;
  readonly language: string;
};

export type Belonging = {
  readonly me: Me;
  readonly tables: readonly (OwnTable)[];
  readonly remarks: readonly (OwnRemark)[];
};

export type CallMe = {
  readonly name: string;
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

export type LetterSent = {
  readonly minutes: number;
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

export type Proved = {
  readonly ticket: string;
  readonly does: "add-mail" | "sign-in";
  readonly name: string | null;
  readonly tables: number;
  readonly here: number;
  readonly mail: string | null;
};

export type ShowPasskey = {
  readonly credential: Record<string, unknown>;
};

export type ShowWord = {
  readonly word: string;
};
