import type who from '../../i18n/en/books/who.json';

type Words = typeof who;

/** The texts on profiles are the book `who`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
