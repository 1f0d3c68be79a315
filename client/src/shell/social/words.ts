import type company from '../../i18n/en/books/company.json';

type Words = typeof company;

/** The texts about other players are the book `company`, which is loaded with them. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
