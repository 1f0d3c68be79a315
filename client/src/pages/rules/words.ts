import type words from '../../i18n/en/books/rules.json';

type Words = typeof words;

declare module '../../i18n/types' {
  interface English extends Words {}
}
