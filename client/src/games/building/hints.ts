import type { Cell } from '../../board/cells';
import { tMaybe, type Translate } from '../../i18n/index.svelte';

/** The cells that an action speaks of. */
export function cellsOf(action: unknown): readonly Cell[] {
  const { cells, cell } = action as { readonly cells?: readonly Cell[]; readonly cell?: Cell };
  return cells ?? (cell ? [cell] : []);
}

/** An action as somebody advises it. */
export function actionName(action: unknown, t: Translate): string {
  const { type, shape } = action as { readonly type: string; readonly shape?: string };
  const cells = cellsOf(action).join(' ');
  if (type === 'place') return t('building.action.place', { cells });
  if (type === 'pass') return t('building.action.pass');
  if (type === 'stop') return t('building.action.stop');
  return cells || shape ? t('building.action.choose', { what: cells || (shape ?? '') }) : t('building.action.none');
}

/** What a bot weighs: a line of the score sheet, or something else about a city. */
export function featureName(feature: string, lineName: string): string {
  return tMaybe(`building.feature.${feature}`, lineName);
}
