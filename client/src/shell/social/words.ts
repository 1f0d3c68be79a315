import type company from '../../i18n/en/books/company.json';

type Words = typeof company;

/** What is said about the company of others comes where there is some, as the book `company`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
