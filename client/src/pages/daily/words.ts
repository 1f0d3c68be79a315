import type home from '../../i18n/en/books/daily-home.json';
import type page from '../../i18n/en/books/daily.json';

type Words = typeof home & typeof page;

/** What is said of the games of the days comes with their page, as the book `daily`; what home says of them is one of its own. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
