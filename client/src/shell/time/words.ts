import type time from '../../i18n/en/books/time.json';

type Words = typeof time;

/** What is said about time comes where there is a clock, or where somebody wants one, as the book `time`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
