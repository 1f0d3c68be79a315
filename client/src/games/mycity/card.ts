import type { GameCard } from '../types';
import art from './Art.svelte';

export default { order: 1, art } satisfies GameCard;
