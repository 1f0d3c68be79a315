import type rated from '../../i18n/en/books/rated.json';

type Words = typeof rated;

/** The texts of rated tables are the book `rated`, which is loaded with them. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
