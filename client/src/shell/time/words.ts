import type time from '../../i18n/en/books/time.json';

type Words = typeof time;

/** The texts about time are the book `time`, which is loaded where a clock is shown or chosen. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
