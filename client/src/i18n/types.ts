/** What English says, file by file: TypeScript cannot look into a folder. Its keys are those of every language. */
type English = typeof import('./en/building.json') &
  typeof import('./en/campaign.json') &
  typeof import('./en/mycity.json') &
  typeof import('./en/pointcity.json') &
  typeof import('./en/rollwrite.json') &
  typeof import('./en/shell.json');

export type Key = keyof English;

/** A sentence, or one for each plural form of `count`. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export type Messages = Readonly<Record<string, Message>>;

export type Params = Readonly<Record<string, string | number>>;

/** The name of a folder here: `en`, `de`. */
export type Language = string;
