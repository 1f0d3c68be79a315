import type papers from '../../i18n/en/books/paper.json';

type Words = typeof papers;

/** What stands on paper comes with it, as the book `paper`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
