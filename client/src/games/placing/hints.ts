import { tMaybe, type Translate } from '../../i18n/index.svelte';
import type { Saying } from '../../wire/server';
import { cellsOf, type Action } from './table';

/** An action as somebody advises it; a game may have a better name for a shape than its letters. */
export function actionName(action: unknown, t: Translate, shapeName = (shape: string): string => shape): string {
  const { type, shape, ...laid } = action as Action & { readonly shape?: string };
  const cells = cellsOf({ type, ...laid }).join(' ');
  if (type === 'place') return t('building.action.place', { cells });
  if (type === 'pass') return t('building.action.pass');
  if (type === 'stop') return t('building.action.stop');
  return cells || shape
    ? t('building.action.choose', { what: cells || shapeName(shape ?? '') })
    : t('building.action.none');
}

/** What a bot weighs: a line of the score sheet, or something else about a city. */
export function featureName(feature: string, lineName: string): string {
  return tMaybe(`building.feature.${feature}`, lineName);
}

/** What a choice does, as players say it. */
export function saying({ feature, how }: Saying): string {
  return tMaybe(`building.because.${feature}.${how}`, '');
}
