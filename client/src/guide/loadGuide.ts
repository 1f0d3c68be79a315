import type { Component, ComponentProps } from 'svelte';
import type { Moments } from '../games/types';
import GuideHost from './GuideHost.svelte';
import { loadGuideData, loadMoments } from './guideIndex';
import type { GuideData } from './types';
import { openGuideBooks } from './words';

export interface LoadedGuide {
  readonly GuideHost: Component<ComponentProps<typeof GuideHost>>;
  readonly data: GuideData;
  readonly moments: Moments;
}

/** Loads a guide with everything that it needs. */
export async function loadGuide(game: string, name: string): Promise<LoadedGuide> {
  const [data, moments] = await Promise.all([loadGuideData(game, name), loadMoments(game), openGuideBooks(game)]);
  return { GuideHost, data, moments };
}
