import type rollwrite from '../../i18n/en/books/rollwrite.json';
import type { GameCard } from '../types';

type Words = typeof rollwrite;

declare module '../../i18n/types' {
  interface English extends Words {}
}

export default {
  order: 2,
  art: () => import('./Art.svelte'),
  books: ['building', 'campaign', 'rollwrite'],
  modes: ['episode', 'chapter', 'campaign'],
} satisfies GameCard;
