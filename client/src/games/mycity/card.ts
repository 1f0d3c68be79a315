import type campaign from '../../i18n/en/books/campaign.json';
import type mycity from '../../i18n/en/books/mycity.json';
import type { GameCard } from '../types';

type Words = typeof campaign & typeof mycity;

declare module '../../i18n/types' {
  interface English extends Words {}
}

export default {
  order: 1,
  art: () => import('./Art.svelte'),
  books: ['building', 'campaign', 'mycity'],
  modes: ['eternal', 'campaign', 'chapter', 'episode'],
} satisfies GameCard;
