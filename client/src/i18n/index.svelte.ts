import { filled } from './message';
import type { Key, Language, Messages, Params } from './types';

/** Every folder is a language, and its files are the catalogue. */
const FILES = import.meta.glob<Messages>('./*/*.json', { import: 'default' });

const folderOf = (path: string): Language => path.split('/')[1] ?? '';

/** All languages, English first as the default. */
export const LANGUAGES: readonly Language[] = [...new Set(['en', ...Object.keys(FILES).map(folderOf).sort()])];

/** Loads messages outside of the catalogue. */
type Source = (language: Language) => Promise<Messages>;

let spoken = $state.raw<{ language: Language; messages: Messages }>({ language: 'en', messages: {} });
let wanted: Language = 'en';
const sources: Source[] = [];

/** Loads the catalogue and all sources before it switches, so that no page mixes two languages. */
export async function speak(language: Language): Promise<void> {
  wanted = language;
  const files = Object.keys(FILES).filter((path) => folderOf(path) === language);
  const parts = await Promise.all([
    ...files.map((path) => FILES[path]?.()),
    ...sources.map((source) => source(language)),
  ]);
  spoken = { language, messages: Object.assign({}, ...parts) as Messages };
  if (typeof document !== 'undefined') document.documentElement.lang = language;
}

/** Adds messages to the catalogue in the current language, and in each later one. */
export async function addMessages(source: Source): Promise<void> {
  await source(wanted);
  sources.push(source);
  await speak(wanted);
}

export function language(): Language {
  return spoken.language;
}

/** Returns the name of a language in that language. */
export function ownName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** Returns the text of a key in the current language; reactive to a change of language. */
export function t(key: Key, params?: Params): string {
  const message = spoken.messages[key];
  return message === undefined ? key : filled(spoken.language, message, params);
}

export type Translate = typeof t;
export type { Key, Language, Messages, Params } from './types';

/** Returns the text of a key that is known only at run time, for example of a bot; otherwise `fallback`. */
export function tMaybe(key: string, fallback: string, params?: Params): string {
  return Object.hasOwn(spoken.messages, key) ? t(key as Key, params) : fallback;
}

/** Joins names as a list: "Ana, Ben and Cleo". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(spoken.language, { type: 'conjunction' }).format(names);
}

/** Formats a number in the current language, with a typographic minus. */
function written(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(spoken.language, options).format(value).replace('-', '−');
}

export function number(value: number): string {
  return written(value, {});
}

/** Formats a number with a plus or minus sign. */
export function signed(value: number): string {
  return written(value, { signDisplay: 'exceptZero' });
}

/** Formats an expected value with one decimal; a difference with its sign. */
export function tenths(value: number, signDisplay: 'auto' | 'exceptZero' = 'auto'): string {
  return written(value, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay });
}

/** Formats a size: 7 MB, 7 Mo. */
export function megabytes(bytes: number): string {
  return written(bytes / 1e6, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 });
}

/** Formats a time in seconds since 1970: the time if it is today, otherwise the date. */
export function when(seconds: number, now = new Date()): string {
  const then = new Date(seconds * 1000);
  const today = then.toDateString() === now.toDateString();
  const year = then.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const style = today
    ? ({ hour: 'numeric', minute: '2-digit' } as const)
    : ({ day: 'numeric', month: 'short', ...year } as const);
  return new Intl.DateTimeFormat(spoken.language, style).format(then);
}

export function percent(share: number): string {
  return new Intl.NumberFormat(spoken.language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}
