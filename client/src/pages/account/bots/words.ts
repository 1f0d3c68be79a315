import type outsiders from '../../../i18n/en/books/outsiders.json';

type Words = typeof outsiders;

/** What is said about outside bots comes where somebody has an account, as the book `outsiders`. */
declare module '../../../i18n/types' {
  interface English extends Words {}
}
