import { tMaybe, type Translate } from '../../i18n/index.svelte';
import type { Argument } from '../../wire/server';
import { cellsOf, type Action } from './table';

/** Names an advised action; a game may name shapes better than by their letters. */
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

/** Names a feature that a bot weighs: a line of the score sheet, or another property of a city. */
export function featureName(feature: string, lineName: string): string {
  return tMaybe(`building.feature.${feature}`, lineName);
}

/** Describes the effect of a choice in the words of players. */
export function saying({ feature, how }: Argument): string {
  return tMaybe(`building.because.${feature}.${how}`, '');
}
