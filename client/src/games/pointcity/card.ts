import type pointcity from '../../i18n/en/pointcity.json';
import type { GameCard } from '../types';
import art from './Art.svelte';

type Words = typeof pointcity;

declare module '../../i18n/types' {
  interface English extends Words {}
}

export default { order: 3, art, modes: ['several', 'alone', 'chosen'] } satisfies GameCard;
