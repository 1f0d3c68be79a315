import type away from './en/books/away.json';
import type building from './en/books/building.json';
import type here from './en/books/here.json';
import type me from './en/books/me.json';
import type notices from './en/books/notices.json';
import type home from './en/home.json';
import type shell from './en/shell.json';

type Words = typeof away & typeof building & typeof here & typeof home & typeof me & typeof notices & typeof shell;

/** The English texts; all languages have their keys. A game adds its own texts in its `card.ts`. */
export interface English extends Words {}

export type Key = keyof English;

/** A text, or one for each plural form of `count`. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export type Messages = Readonly<Record<string, Message>>;

export type Params = Readonly<Record<string, string | number>>;

/** The name of a folder here: `en`, `de`. */
export type Language = string;
