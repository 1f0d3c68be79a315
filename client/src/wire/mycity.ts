// Written by `make wire` from the server's types. Do not edit.

export type BuildingView = {
  readonly card: string;
  readonly cells: readonly (string)[];
};

export type Built = {
  readonly type: "built";
  readonly seat: number;
  readonly card: string;
  readonly cells: readonly (string)[];
};

export type CityView = {
  readonly buildings: readonly (BuildingView)[];
  readonly marker: number;
  readonly passes: number;
  readonly stopped: boolean;
  readonly counted: Record<string, readonly (string)[]>;
};

export type Ended = {
  readonly type: "ended";
};

export type Forbidden = {
  readonly type: "forbidden";
  readonly card: string;
};

export type Legacy = {
  readonly circles?: number;
};

export type Line = {
  readonly line: string;
  readonly count: number;
  readonly points: number;
};

export type Pass = {
  readonly type: "pass";
};

export type Passed = {
  readonly type: "passed";
  readonly seat: number;
  readonly marker: number;
};

export type Place = {
  readonly type: "place";
  readonly cells: readonly (string)[];
};

export type RaceWon = {
  readonly type: "race-won";
  readonly seat: number;
  readonly race: string;
  readonly points: number;
};

export type Result = {
  readonly scores: readonly (number)[];
  readonly ranks: readonly (number)[];
  readonly sheets: readonly (readonly (Line)[])[];
};

export type Reveal = {
  readonly type: "reveal";
  readonly card: string;
};

export type Revealed = {
  readonly type: "revealed";
  readonly card: string;
};

export type Setup = {
  readonly mode?: "episode" | "eternal";
  readonly seats: number;
  readonly episode?: number;
  readonly play?: "campaign" | "single";
  readonly boards?: readonly (Legacy)[];
  readonly content?: number;
};

export type Stop = {
  readonly type: "stop";
};

export type Stopped = {
  readonly type: "stopped";
  readonly seat: number;
};

export type TableView = {
  readonly setup: Setup;
  readonly rows: readonly (string)[];
  readonly river: readonly ([number, number])[];
  readonly squares: readonly (string)[];
  readonly card: string | null;
  readonly shape: string | null;
  readonly shapes: Record<string, string>;
  readonly blocking: boolean;
  readonly revealed: readonly (string)[];
  readonly remaining: readonly (string)[];
  readonly open_races: readonly (string)[];
  readonly cities: readonly (CityView)[];
  readonly acting: readonly (number)[];
  readonly over: boolean;
  readonly result: Result;
};

export type View = {
  readonly table: TableView;
  readonly seat: number | null;
  readonly choices: readonly (Reveal | Place | Pass | Stop)[];
};

export type Action = Reveal | Place | Pass | Stop;

export type Event = Revealed | Forbidden | Built | Passed | Stopped | RaceWon | Ended;
