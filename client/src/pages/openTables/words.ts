import type open from '../../i18n/en/books/open.json';

type Words = typeof open;

/** The texts on open tables are the book `open`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
