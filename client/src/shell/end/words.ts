import type ends from '../../i18n/en/books/ends.json';

type Words = typeof ends;

/** What is said when a match is over comes with that, as the book `ends`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
