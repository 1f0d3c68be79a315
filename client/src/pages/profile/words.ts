import type who from '../../i18n/en/books/who.json';

type Words = typeof who;

/** What is said of what somebody has played comes with its page, as the book `who`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
