import type ends from '../../i18n/en/books/ends.json';

type Words = typeof ends;

/** The texts of the end of a match are the book `ends`, which is loaded with it. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
