import type { Component, ComponentProps } from 'svelte';
import type { Moments } from '../games/types';
import Desk from './Desk.svelte';
import { guideNamed, momentsOf } from './shelf';
import type { GuideData } from './types';
import { openGuideBooks } from './words';

export interface OpenGuide {
  readonly Desk: Component<ComponentProps<typeof Desk>>;
  readonly data: GuideData;
  readonly moments: Moments;
}

/** All that a guide needs, when it has arrived. */
export async function openGuide(game: string, name: string): Promise<OpenGuide> {
  const [data, moments] = await Promise.all([guideNamed(game, name), momentsOf(game), openGuideBooks(game)]);
  return { Desk, data, moments };
}
