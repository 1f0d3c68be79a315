import type rated from '../../i18n/en/books/rated.json';

type Words = typeof rated;

/** What is said of rated tables comes with them, as the book `rated`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
