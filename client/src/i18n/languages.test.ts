import { describe, expect, it } from 'vitest';
import { LANGUAGES, type Language, type Messages } from './index.svelte';
import type { Message } from './types';

/** All files of texts: the catalogues, the books, and the sealed chapters. */
const FILES = import.meta.glob<Messages>(['./*/*.json', './*/books/*.json', '../games/*/chapters/*/*.json'], {
  eager: true,
  import: 'default',
});
const ENGLISH = Object.keys(FILES).filter((path) => path === fileIn(path, 'en'));
const OTHERS = LANGUAGES.filter((language) => language !== 'en');

/** Names of games and of bots. Other texts that are equal to English are listed in `same.ts` of the language. */
const NAMES = [
  ...['Automa', 'Automa, {level}', 'My City', 'Point City', 'Polyopolis', 'Roll & Write'],
  ...['Ada', 'Bruno', 'Dodo', 'Gus', 'Iris', 'Mina', 'Otto', 'Pip', 'Vera'],
];
const SAME = import.meta.glob<readonly string[]>('./*/same.ts', { eager: true, import: 'default' });

/** Wordings that readers misunderstood: false friends, or two words for one thing. */
const STUMBLED: readonly [Language, RegExp][] = Object.entries({
  en: /carries buildings|As the system|[Aa] bot tells|^Play on$|further back|^The clock stands|\b(a|the) letter (with a link|is on its way)/,
  de: /^Brettspiele vom|^Gehen$|(das|dem|dasselbe|demselben|eingetipptem) Glück|Stufe \{(level|first)\}|\bBrief (an|mit einem Link)/,
  fr: /[Rr]obot|^Scellées jusqu|^Revenir$|^[Rr]este \d|\blettre (avec un lien|part vers)/,
  nl: /slot draagt|(het|hetzelfde|ingetypt) geluk|^Als het nu stopt|\b[Pp]artij(en)?\b|\bbrief (aan|met een link)/i,
});

/**
 * Countable nouns. A text that counts them needs plural forms, except for those that are always plural or
 * fractional.
 */
const COUNTED =
  /\} (points|cards|games|cells|turns|tables|Punkten?|Karten|Partien|Felder|Züge|cartes|parties|cases|tours|punten|kaarten|spellen|vakken|beurten)\b/;
const SEVERAL = ['hint.expected', 'hint.behind', 'paper.bonus', 'who.rating.course'];

function fileIn(path: string, language: Language): string {
  return path.replace(/\/(\w\w)(?=(\/books)?\/[\w-]+\.json$|\.json$)/, `/${language}`);
}

function wordsIn(path: string, language: Language): Messages {
  return FILES[fileIn(path, language)] ?? {};
}

function texts(message: Message | undefined): string[] {
  return typeof message === 'string' ? [message] : Object.values(message ?? {});
}

function gaps(message: Message | undefined): string[] {
  return [...new Set(texts(message).flatMap((text) => text.match(/\{\w+\}/g) ?? []))].sort();
}

/** The French form `many` is for millions, which no score reaches; `other` covers it. */
function pluralForms(language: Language): string[] {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
  return forms.filter((form) => form !== 'many').sort();
}

/** Returns all texts of a language with their keys. */
function spoken(language: Language): [key: string, text: string][] {
  return ENGLISH.flatMap((path) =>
    Object.entries(wordsIn(path, language)).flatMap(([key, message]) =>
      texts(message).map((text): [string, string] => [key, text]),
    ),
  );
}

function leftInEnglish(language: Language): string[] {
  const english = new Set(spoken('en').map(([key, text]) => `${key} ${text}`));
  const worded = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\w+\}/g, ''));
  const left = spoken(language).filter(([key, text]) => worded(text) && english.has(`${key} ${text}`));
  return [...new Set(left.map(([, text]) => text))].sort();
}

describe.each(ENGLISH)('%s', (path) => {
  const english = wordsIn(path, 'en');

  it.each(LANGUAGES)('has the same keys in %s', (language) =>
    expect(Object.keys(wordsIn(path, language)).sort()).toEqual(Object.keys(english).sort()),
  );

  it.each(LANGUAGES)('has the same gaps in %s', (language) => {
    for (const [key, message] of Object.entries(english))
      expect(gaps(wordsIn(path, language)[key]), key).toEqual(gaps(message));
  });

  it.each(LANGUAGES)('has the plural forms of %s', (language) => {
    for (const [key, message] of Object.entries(wordsIn(path, language))) {
      expect(typeof message, key).toBe(typeof english[key]);
      if (typeof message !== 'string') expect(Object.keys(message).sort(), key).toEqual(pluralForms(language));
    }
  });

  it.each(LANGUAGES)('has plurals for counted texts in %s', (language) => {
    for (const [key, message] of Object.entries(wordsIn(path, language)))
      if (typeof message === 'string' && !SEVERAL.includes(key)) expect(message, key).not.toMatch(COUNTED);
  });

  it('shares no key with another file', () => {
    const others = ENGLISH.filter((other) => other !== path).flatMap((other) => Object.keys(wordsIn(other, 'en')));
    expect(Object.keys(english).filter((key) => others.includes(key))).toEqual([]);
  });
});

describe.each(LANGUAGES)('%s', (language) => {
  it('has no empty texts', () => {
    for (const [key, text] of spoken(language)) expect(text.trim(), key).not.toBe('');
  });

  it('has typographic apostrophes and no accidental spaces', () => {
    for (const [key, text] of spoken(language)) expect(text, key).not.toMatch(/'|\u00a0|\u202f| {2}|^ | $|\.\.\./);
  });
});

it.each(STUMBLED)('avoids in %s the wordings that readers misunderstood', (language, worn) => {
  for (const [key, text] of spoken(language)) expect(text, key).not.toMatch(worn);
});

describe.each(OTHERS)('%s', (language) => {
  it('has no English texts except for the listed ones', () =>
    expect(leftInEnglish(language)).toEqual([...NAMES, ...(SAME[`./${language}/same.ts`] ?? [])].sort()));
});

it('French sets a space before double punctuation', () => {
  for (const [key, text] of spoken('fr')) expect(text, key).not.toMatch(/[^ ][:;!?]( |$)/);
});
