// Written by `make wire` from the server's types. Do not edit.

export type Amount = {
  readonly points: Estimate;
  readonly chance?: Estimate | null;
};

export type Argument = {
  readonly feature: string;
  readonly how: "gains" | "keeps" | "loses" | "misses";
};

export type ChanceEvent = {
  readonly move: number;
  readonly action: unknown;
  readonly possible: number;
  readonly luck: readonly (Amount)[];
  readonly compared: readonly (Estimate)[];
};

export type Choice = {
  readonly action: unknown;
  readonly value: Amount;
  readonly lacks: Amount;
  readonly behind: boolean;
  readonly pro?: readonly (Argument)[];
  readonly con?: readonly (Argument)[];
};

export type CurvePoint = {
  readonly moves: number;
  readonly seats: readonly (Amount)[];
};

export type Decision = {
  readonly move: number;
  readonly seat: number;
  readonly topic: string;
  readonly counts: boolean;
  readonly grade: "blunder" | "good" | "mistake" | "slip";
  readonly played: Choice;
  readonly best: Choice;
  readonly others: readonly (Choice)[];
  readonly loss: Amount;
  readonly skill: Amount;
};

export type Estimate = {
  readonly mean: number;
  readonly error?: number;
};

export type ExerciseGrade = {
  readonly action: unknown;
  readonly right: boolean;
  readonly lacks: Amount;
};

export type HindsightCard = {
  readonly luck: unknown;
  readonly action: unknown;
  readonly score: number;
  readonly view: unknown;
};

export type HindsightReport = {
  readonly seat: number;
  readonly score: number;
  readonly best: number;
  readonly bound: number;
  readonly proven: boolean;
  readonly cards?: readonly (HindsightCard)[];
  readonly par?: Estimate | null;
  readonly games?: number;
  readonly final?: boolean;
};

export type MatchReview = {
  readonly hindsight: boolean;
  readonly begins: number;
  readonly moves: number;
  readonly curve: readonly (CurvePoint)[];
  readonly decisions: readonly (Decision)[];
  readonly chances: readonly (ChanceEvent)[];
  readonly accounts: readonly (ResultBreakdown)[];
  readonly strengths: readonly (Strength)[];
  readonly moments: readonly (Moment)[];
};

export type Moment = {
  readonly kind: "find" | "loss" | "luck" | "misfortune";
  readonly move: number;
  readonly seat: number;
  readonly amount: Amount;
};

export type ResultBreakdown = {
  readonly seat: number;
  readonly start: Amount;
  readonly luck: Amount;
  readonly skill: Amount;
  readonly others: Amount;
  readonly result: Amount;
  readonly rest: Amount;
  readonly score: number;
  readonly rank: number;
  readonly loss: Amount;
  readonly decisions: number;
  readonly mistakes: number;
};

export type Review = {
  readonly key: string;
  readonly game: string;
  readonly evaluator: string;
  readonly futures: number;
  readonly final: boolean;
  readonly matches: readonly (MatchReview)[];
};

export type Strength = {
  readonly seat: number;
  readonly loss: Estimate;
  readonly level: number;
  readonly alike: [number, number];
  readonly low: number;
  readonly high: number;
  readonly topics: readonly (TopicStrength)[];
};

export type TopicStrength = {
  readonly topic: string;
  readonly decisions: number;
  readonly loss: Estimate;
  readonly level: number;
};
