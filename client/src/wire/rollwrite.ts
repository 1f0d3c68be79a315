// Written by `make wire` from the server's types. Do not edit.

export type BuildingView = {
  readonly kind: "administrative" | "church" | "fort" | "industrial" | "residential" | "sawmill";
  readonly cells: readonly (string)[];
  readonly printed: boolean;
};

export type Built = {
  readonly type: "built";
  readonly seat: number;
  readonly kind: string;
  readonly cells: readonly (string)[];
};

export type ChanceView = {
  readonly shape: string;
  readonly kind: "administrative" | "church" | "fort" | "industrial" | "residential" | "sawmill" | null;
  readonly ways: number;
};

export type CityView = {
  readonly buildings: readonly (BuildingView)[];
  readonly circles: number;
  readonly price: number;
  readonly next: number;
  readonly stopped: boolean;
  readonly bandits: readonly (string)[];
  readonly caught: readonly (string)[];
  readonly purses: number;
  readonly won: readonly (string)[];
  readonly covered: Record<string, number>;
  readonly counted: Record<string, readonly (string)[]>;
  readonly open: number;
};

export type CompassView = {
  readonly builds: "administrative" | "church" | "fort" | "industrial" | "residential" | "sawmill";
  readonly row: readonly (string)[];
  readonly used: number;
  readonly states: readonly ("next" | "now" | "used")[];
  readonly must_build: boolean;
};

export type Ended = {
  readonly type: "ended";
};

export type Line = {
  readonly line: string;
  readonly count: number;
  readonly points: number;
};

export type Mode = {
  readonly group: string;
  readonly setup: Record<string, unknown>;
  readonly plan?: readonly (number)[];
  readonly seats?: readonly (number)[];
};

export type Outline = {
  readonly content: number;
  readonly modes: readonly (Mode)[];
  readonly rules: RuleIds;
  readonly chapters: Record<string, number>;
  readonly papers: Record<string, Paper>;
};

export type Paper = {
  readonly lines: readonly (PaperLine)[];
  readonly chapter: number;
  readonly episodes: readonly (number)[];
  readonly titles: readonly (number)[];
  readonly bonus: PaperBonus | null;
  readonly bandits: readonly (string)[];
  readonly chapters: number;
  readonly campaign: readonly (number)[];
};

export type PaperBonus = {
  readonly most: number;
  readonly second: number;
  readonly alone: Record<string, number>;
};

export type PaperLine = {
  readonly line: string;
  readonly each: number | null;
  readonly once?: boolean;
};

export type Pass = {
  readonly type: "pass";
};

export type Passed = {
  readonly type: "passed";
  readonly seat: number;
  readonly circles: number;
};

export type Place = {
  readonly type: "place";
  readonly cells: readonly (string)[];
};

export type PurseView = {
  readonly purse: string;
  readonly purses: number;
};

export type RaceView = {
  readonly race: string;
  readonly points: number;
  readonly cells: readonly (string)[];
  readonly open: boolean;
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

export type Roll = {
  readonly type: "roll";
  readonly faces: [string, string, string];
};

export type RollView = {
  readonly faces: [string, string, string];
  readonly dice: [string, string];
  readonly joined: string;
  readonly kind: "administrative" | "church" | "fort" | "industrial" | "residential" | "sawmill";
  readonly shape: string;
  readonly held: string;
  readonly compass: boolean;
  readonly circles: number | null;
};

export type Rolled = {
  readonly type: "rolled";
  readonly faces: [string, string, string];
  readonly kind: string;
};

export type RuleIds = {
  readonly reasons: Record<string, string>;
  readonly lines: Record<string, string>;
};

export type Setup = {
  readonly episode?: number;
  readonly seats: number;
  readonly bandits?: readonly (readonly (string)[])[];
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
  readonly signs: Record<string, "flood" | "forest" | "gold" | "meadow" | "mountain" | "plains" | "rocks" | "trees" | "well">;
  readonly mirrors: boolean;
  readonly types: readonly ("administrative" | "industrial" | "residential")[];
  readonly river: readonly ([number, number])[];
  readonly start: string;
  readonly passing: readonly (number)[];
  readonly counting: Record<string, number>;
  readonly in_sight: Record<string, Record<string, number>>;
  readonly builds_on: readonly (string)[];
  readonly dice: [Record<string, string>, Record<string, string>];
  readonly chances: readonly (ChanceView)[];
  readonly rolls: number;
  readonly roll: RollView | null;
  readonly compass: CompassView | null;
  readonly races: readonly (RaceView)[];
  readonly purses: readonly (PurseView)[];
  readonly cities: readonly (CityView)[];
  readonly acting: readonly (number)[];
  readonly over: boolean;
  readonly result: Result;
  readonly open_lines: readonly (string)[];
  readonly par: number | null;
};

export type View = {
  readonly table: TableView;
  readonly seat: number | null;
  readonly choices: readonly (Roll | Place | Pass | Stop)[];
};

export type Action = Roll | Place | Pass | Stop;

export type Event = Rolled | Built | Passed | Stopped | RaceWon | Ended;
