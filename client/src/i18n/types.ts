import type en from './en/index';

export type Key = keyof typeof en;

/** A sentence, or one for each plural form of `count`. */
export type Message = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

export type Messages = Readonly<Record<string, Message>>;

export type Catalogue = Readonly<Record<Key, Message>>;

export type Params = Readonly<Record<string, string | number>>;

export const LANGUAGES = ['en', 'de', 'fr', 'nl'] as const;
export type Language = (typeof LANGUAGES)[number];
