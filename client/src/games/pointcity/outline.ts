import type { Outline } from '../../wire/pointcity';
import { Outlines } from '../../lib/outlines.svelte';

export const outlines = new Outlines<Outline>('pointcity');
