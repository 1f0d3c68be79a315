import type campaign from '../../i18n/en/campaign.json';
import type mycity from '../../i18n/en/mycity.json';
import type { GameCard } from '../types';
import art from './Art.svelte';

type Words = typeof campaign & typeof mycity;

declare module '../../i18n/types' {
  interface English extends Words {}
}

export default { order: 1, art, modes: ['eternal', 'campaign', 'chapter', 'episode'] } satisfies GameCard;
