import type { GameCard } from '../types';
import art from './Art.svelte';

export default { order: 3, art } satisfies GameCard;
