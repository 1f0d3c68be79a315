import type ends from '../../i18n/en/books/ends.json';
import type review from '../../i18n/en/books/review.json';

type Words = typeof review & typeof ends;

/** What is said of a match that is reviewed comes with its page, as the book `review`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
