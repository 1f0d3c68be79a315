// Written by `make wire` from the server's types. Do not edit.

export type BoxView = {
  readonly box: number;
  readonly gives: "circle" | "forest-tree" | "gear" | "meadow" | "nugget" | "rock" | "tree";
  readonly triangle: boolean;
  readonly won: boolean;
};

export type BuildingView = {
  readonly card: string;
  readonly cells: readonly (string)[];
  readonly kind: "church" | "industrial" | "neutral" | "public" | "residential";
  readonly roof: "factory" | "kiosk" | "palace" | "port" | "sawmill" | null;
};

export type Built = {
  readonly type: "built";
  readonly seat: number;
  readonly card: string;
  readonly cells: readonly (string)[];
};

export type CardOutline = {
  readonly kind: "church" | "industrial" | "neutral" | "public" | "residential" | "block";
  readonly shape: string;
};

export type CardView = {
  readonly card: string;
  readonly kind: "church" | "industrial" | "neutral" | "public" | "residential";
  readonly shape: string;
  readonly drawing: string | null;
  readonly takes_gear: boolean;
  readonly roof: "factory" | "kiosk" | "palace" | "port" | "sawmill" | null;
};

export type ChurchView = {
  readonly name: string;
  readonly shape: string;
};

export type CityView = {
  readonly buildings: readonly (BuildingView)[];
  readonly marker: number;
  readonly passes: number;
  readonly stopped: boolean;
  readonly counted: Record<string, readonly (string)[]>;
  readonly rows: readonly (string)[];
  readonly pieces: readonly (BuildingView)[];
  readonly fourth: string | null;
  readonly factories: readonly (string)[];
  readonly gone: readonly (string)[];
  readonly kiosks: number;
  readonly investor: readonly (string)[];
  readonly parks: readonly (string)[];
  readonly dykes: readonly (string)[];
  readonly squares: readonly (string)[];
  readonly progress: Record<string, number>;
  readonly won: readonly (string)[];
  readonly rank: "first" | "others" | "second";
  readonly legacy: LegacyView | null;
  readonly open: number;
};

export type Ended = {
  readonly type: "ended";
};

export type EpisodeOutline = {
  readonly episode: number;
  readonly chapter: number;
  readonly rules: readonly (string)[];
  readonly brings: readonly (string)[];
};

export type EpisodeView = {
  readonly chapter: number | null;
  readonly start: string;
  readonly marker: number;
  readonly limit: number | null;
  readonly passing: number | null;
  readonly must_build: readonly ("block" | "blue" | "church" | "red" | "yellow")[];
  readonly forest: boolean;
  readonly kiosks: number;
  readonly at_once: Record<string, number>;
  readonly races: Record<string, RaceView>;
  readonly counting: Record<string, number>;
  readonly in_sight: Record<string, Record<string, number>>;
  readonly ranks: readonly (RankView)[];
  readonly stickers: Record<string, "blue-entrance" | "forest" | "gold" | "meadow" | "mountain" | "red-entrance" | "rocks" | "tree" | "trees" | "water" | "well" | "yellow-entrance">;
  readonly shafts: readonly (ShaftView)[];
};

export type Forbidden = {
  readonly type: "forbidden";
  readonly card: string;
};

export type Gear = {
  readonly type: "gear";
  readonly shape: string;
};

export type Geared = {
  readonly type: "geared";
  readonly seat: number;
  readonly card: string;
};

export type Kiosk = {
  readonly type: "kiosk";
  readonly cell: string;
};

export type Legacy = {
  readonly circles?: number;
  readonly nuggets?: number;
  readonly stickers?: Record<string, "forest-tree" | "meadow" | "rock" | "tree">;
  readonly church?: string;
  readonly gears?: readonly (string)[];
  readonly shafts?: Record<string, number>;
  readonly city?: string;
  readonly animal?: "bear" | "beaver" | "deer" | "duck" | "fish" | "fox" | "frog" | "hare" | "hedgehog" | "owl" | "snail" | "squirrel";
};

export type LegacyView = {
  readonly circles: number;
  readonly nuggets: number;
  readonly stickers: Record<string, "forest-tree" | "meadow" | "rock" | "tree">;
  readonly gears: readonly (string)[];
  readonly shafts: Record<string, number>;
  readonly ticks: Record<string, number>;
  readonly rewards: readonly ("circle" | "forest-tree" | "gear" | "meadow" | "nugget" | "rock" | "tree")[];
  readonly rows: readonly (string)[];
  readonly squares: readonly (string)[];
  readonly city: string | null;
  readonly animal: "bear" | "beaver" | "deer" | "duck" | "fish" | "fox" | "frog" | "hare" | "hedgehog" | "owl" | "snail" | "squirrel" | null;
};

export type Line = {
  readonly line: string;
  readonly count: number;
  readonly points: number;
};

export type Lost = {
  readonly type: "lost";
  readonly seat: number;
  readonly reward: string;
};

export type Mode = {
  readonly group: string;
  readonly setup: Record<string, unknown>;
  readonly plan?: readonly (number)[];
  readonly seats?: readonly (number)[];
};

export type NoKiosk = {
  readonly type: "no-kiosk";
};

export type Outline = {
  readonly content: number;
  readonly modes: readonly (Mode)[];
  readonly rules: RuleIds;
  readonly cards: Record<string, CardOutline>;
  readonly episodes: readonly (EpisodeOutline)[];
  readonly circles: number;
  readonly animals: readonly ("bear" | "beaver" | "deer" | "duck" | "fish" | "fox" | "frog" | "hare" | "hedgehog" | "owl" | "snail" | "squirrel")[];
  readonly longest_name: number;
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

export type Planted = {
  readonly type: "planted";
  readonly seat: number;
  readonly cells: readonly (string)[];
};

export type RaceView = {
  readonly goal: number;
  readonly points: number;
  readonly nuggets: number;
  readonly later: number;
};

export type RaceWon = {
  readonly type: "race-won";
  readonly seat: number;
  readonly race: string;
  readonly points: number;
};

export type RankView = {
  readonly rank: "first" | "others" | "second";
  readonly rewards: readonly ("circle" | "forest-tree" | "gear" | "meadow" | "nugget" | "rock" | "tree")[];
  readonly church: ChurchView | null;
};

export type Received = {
  readonly type: "received";
  readonly seat: number;
  readonly reward: string;
  readonly number: number;
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

export type RuleIds = {
  readonly reasons: Record<string, string>;
  readonly lines: Record<string, string>;
};

export type Scored = {
  readonly type: "scored";
  readonly seat: number;
  readonly line: string;
  readonly points: number;
};

export type Setup = {
  readonly mode?: "episode" | "eternal";
  readonly seats: number;
  readonly episode?: number;
  readonly play?: "campaign" | "single";
  readonly boards?: readonly (Legacy)[];
  readonly triangles?: readonly (string)[];
  readonly content?: number;
};

export type ShaftView = {
  readonly colour: "blue" | "red" | "yellow";
  readonly boxes: number;
  readonly rewards: readonly (BoxView)[];
};

export type Sticker = {
  readonly type: "sticker";
  readonly kind: string;
  readonly cell: string;
};

export type Stop = {
  readonly type: "stop";
};

export type Stopped = {
  readonly type: "stopped";
  readonly seat: number;
};

export type Stuck = {
  readonly type: "stuck";
  readonly seat: number;
  readonly sticker: string;
  readonly cells: readonly (string)[];
};

export type TableView = {
  readonly setup: Setup;
  readonly rows: readonly (string)[];
  readonly signs: Record<string, "blue-entrance" | "forest" | "gold" | "meadow" | "mountain" | "red-entrance" | "rocks" | "tree" | "trees" | "water" | "well" | "yellow-entrance">;
  readonly mirrors: boolean;
  readonly track: readonly (string)[];
  readonly river: readonly ([number, number])[];
  readonly squares: readonly (string)[];
  readonly card: string | null;
  readonly shape: string | null;
  readonly laid: CardView | null;
  readonly cards: readonly (CardView)[];
  readonly blocking: boolean;
  readonly block: "gone" | "left" | null;
  readonly forbidden: readonly (string)[];
  readonly blocked: string | null;
  readonly revealed: readonly (string)[];
  readonly remaining: readonly (string)[];
  readonly open_races: readonly (string)[];
  readonly cities: readonly (CityView)[];
  readonly acting: readonly (number)[];
  readonly over: boolean;
  readonly result: Result;
  readonly open_lines: readonly (string)[];
  readonly par: number | null;
  readonly asks: string;
  readonly cleared: boolean;
  readonly episode: EpisodeView;
};

export type Ticked = {
  readonly type: "ticked";
  readonly seat: number;
  readonly colour: string;
  readonly boxes: number;
  readonly box: number;
};

export type TookChurch = {
  readonly type: "took-church";
  readonly seat: number;
  readonly church: string;
};

export type View = {
  readonly table: TableView;
  readonly seat: number | null;
  readonly choices: readonly (Reveal | Place | Pass | Stop | Kiosk | NoKiosk | Sticker | Gear)[];
};

export type Action = Reveal | Place | Pass | Stop | Kiosk | NoKiosk | Sticker | Gear;

export type Event = Revealed | Forbidden | Built | Passed | Stopped | Scored | RaceWon | Received | Planted | TookChurch | Ticked | Stuck | Geared | Lost | Ended;
