import { filled } from './message';
import type { Key, Language, Messages, Params } from './types';

/** Languages are found: a folder is one, and everything in it is its catalogue. */
const FILES = import.meta.glob<Messages>('./*/*.json', { import: 'default' });

const folderOf = (path: string): Language => path.split('/')[1] ?? '';

/** English first, for those whose language is not here. */
export const LANGUAGES: readonly Language[] = [...new Set(['en', ...Object.keys(FILES).map(folderOf).sort()])];

/** Messages that are not in anybody's catalogue before they are asked for. */
type Source = (language: Language) => Promise<Messages>;

let spoken = $state.raw<{ language: Language; messages: Messages }>({ language: 'en', messages: {} });
let wanted: Language = 'en';
const sources: Source[] = [];

/** Everything arrives before anything changes, so that no page speaks two languages. */
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

/** More messages beside the catalogue, in the language spoken now and in every one spoken later. */
export async function addMessages(source: Source): Promise<void> {
  await source(wanted);
  sources.push(source);
  await speak(wanted);
}

export function language(): Language {
  return spoken.language;
}

/** What a language calls itself. */
export function ownName(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: 'language' }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** The text of a key in the language of the page; what reads it follows a change of language. */
export function t(key: Key, params?: Params): string {
  const message = spoken.messages[key];
  return message === undefined ? key : filled(spoken.language, message, params);
}

export type Translate = typeof t;
export type { Key, Language, Messages, Params } from './types';

/** The text of a key that is only known at run time, such as one for every bot; otherwise `fallback`. */
export function tMaybe(key: string, fallback: string, params?: Params): string {
  return Object.hasOwn(spoken.messages, key) ? t(key as Key, params) : fallback;
}

/** People as one says them: "Ana, Ben and Cleo". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(spoken.language, { type: 'conjunction' }).format(names);
}

/** Numbers as the language writes them, with a true minus. */
function written(value: number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(spoken.language, options).format(value).replace('-', '−');
}

export function number(value: number): string {
  return written(value, {});
}

/** A number with its sign: a plus where it matters. */
export function signed(value: number): string {
  return written(value, { signDisplay: 'exceptZero' });
}

/** What is expected, to a tenth; a difference with its sign. */
export function tenths(value: number, signDisplay: 'auto' | 'exceptZero' = 'auto'): string {
  return written(value, { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay });
}

/** Bytes as people say them: 7 MB, 7 Mo. */
export function megabytes(bytes: number): string {
  return written(bytes / 1e6, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 0 });
}

/** When something happened, in seconds since 1970: the time of a day that is today, else the day. */
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
