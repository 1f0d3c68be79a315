import { OutlineCache } from '../../lib/match/outlines.svelte';
import type { Outline } from '../../wire/pointcity';

export const outlines = new OutlineCache<Outline>('pointcity');
