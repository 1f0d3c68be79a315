import type ends from '../../i18n/en/books/ends.json';
import type review from '../../i18n/en/books/review.json';

type Words = typeof review & typeof ends;

/** The texts on reviews are the book `review`. */
declare module '../../i18n/types' {
  interface English extends Words {}
}
