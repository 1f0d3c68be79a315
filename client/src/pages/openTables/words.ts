import type open from '../../i18n/en/books/open.json';

type Words = typeof open;

/** What the list of open tables says comes with it, as the book `open`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
