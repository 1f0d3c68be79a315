import { filled } from './message';
import type { Catalogue, Key, Language, Params } from './types';

const CATALOGUES: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  en: () => import('./en/index'),
  fr: () => import('./fr/index'),
};

const spoken = $state<{ language: Language; catalogue: Catalogue | null }>({ language: 'en', catalogue: null });

export async function speak(language: Language): Promise<void> {
  const { default: catalogue } = await CATALOGUES[language]();
  spoken.language = language;
  spoken.catalogue = catalogue;
  if (typeof document !== 'undefined') document.documentElement.lang = language;
}

export function language(): Language {
  return spoken.language;
}

/** The text of a key in the language of the page; what reads it follows a change of language. */
export function t(key: Key, params?: Params): string {
  const message = spoken.catalogue?.[key];
  return message === undefined ? key : filled(spoken.language, message, params);
}

export type Translate = typeof t;
export type { Key, Language, Params } from './types';
export { LANGUAGES } from './types';

/** The text of a key that is only known at run time, such as one for every bot; otherwise `fallback`. */
export function tMaybe(key: string, fallback: string, params?: Params): string {
  return spoken.catalogue && Object.hasOwn(spoken.catalogue, key) ? t(key as Key, params) : fallback;
}

/** People as one says them: "Ana, Ben and Cleo". */
export function listed(names: readonly string[]): string {
  return new Intl.ListFormat(spoken.language, { type: 'conjunction' }).format(names);
}

export function number(value: number): string {
  return new Intl.NumberFormat(spoken.language).format(value).replace('-', '−');
}

export function percent(share: number): string {
  return new Intl.NumberFormat(spoken.language, { style: 'percent', maximumFractionDigits: 0 }).format(share);
}
