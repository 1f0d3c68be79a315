import type papers from '../../../i18n/en/books/paper.json';

type Words = typeof papers;

/** The texts of printed sheets are the book `paper`. */
declare module '../../../i18n/types' {
  interface English extends Words {}
}
