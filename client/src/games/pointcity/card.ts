import type pointcity from '../../i18n/en/books/pointcity.json';
import type { GameCard } from '../types';

type Words = typeof pointcity;

declare module '../../i18n/types' {
  interface English extends Words {}
}

export default {
  order: 3,
  art: () => import('./Art.svelte'),
  books: ['campaign', 'pointcity'],
  modes: ['several', 'alone', 'chosen'],
} satisfies GameCard;
