import type words from '../../i18n/en/books/daily.json';

type Words = typeof words;

/** What is said of the games of the days comes with their page, as the book `daily`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
