import type { Component, ComponentProps } from 'svelte';
import type { Moments } from '../games/types';
import GuideHost from './GuideHost.svelte';
import { guideNamed, momentsOf } from './guideIndex';
import type { GuideData } from './types';
import { openGuideBooks } from './words';

export interface OpenGuide {
  readonly GuideHost: Component<ComponentProps<typeof GuideHost>>;
  readonly data: GuideData;
  readonly moments: Moments;
}

/** All that a guide needs, when it has arrived. */
export async function openGuide(game: string, name: string): Promise<OpenGuide> {
  const [data, moments] = await Promise.all([guideNamed(game, name), momentsOf(game), openGuideBooks(game)]);
  return { GuideHost, data, moments };
}
