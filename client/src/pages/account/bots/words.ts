import type outsiders from '../../../i18n/en/books/outsiders.json';

type Words = typeof outsiders;

/** The texts on outside bots are the book `outsiders`. */
declare module '../../../i18n/types' {
  interface English extends Words {}
}
