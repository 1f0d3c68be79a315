import type building from './en/books/building.json';
import type here from './en/books/here.json';
import type me from './en/books/me.json';
import type home from './en/home.json';
import type shell from './en/shell.json';

type Words = typeof building & typeof here & typeof home & typeof me & typeof shell;

/** What English says; its keys are those of every language. A game adds its own words where its card is. */
export interface English extends Words {}

export type Key = keyof English;

/** A sentence, or one for each plural form of `count`. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export type Messages = Readonly<Record<string, Message>>;

export type Params = Readonly<Record<string, string | number>>;

/** The name of a folder here: `en`, `de`. */
export type Language = string;
