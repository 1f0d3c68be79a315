import type { GameCard } from '../types';
import art from './Art.svelte';

export default { order: 2, art } satisfies GameCard;
