import { Outlines } from '../../lib/match/outlines.svelte';
import type { Outline } from '../../wire/pointcity';

export const outlines = new Outlines<Outline>('pointcity');
