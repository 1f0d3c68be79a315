import type home from '../../i18n/en/books/daily-home.json';
import type page from '../../i18n/en/books/daily.json';

type Words = typeof home & typeof page;

/** The texts on daily games are the book `daily`; those on the home page are a book of their own. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
