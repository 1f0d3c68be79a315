import type rollwrite from '../../i18n/en/rollwrite.json';
import type { GameCard } from '../types';
import art from './Art.svelte';

type Words = typeof rollwrite;

declare module '../../i18n/types' {
  interface English extends Words {}
}

export default { order: 2, art, modes: ['episode', 'chapter', 'campaign'] } satisfies GameCard;
