import type { GameModule } from '../../games/types';
import { t } from '../../i18n/index.svelte';
import type {} from './words';

/** Whether a plan is for the own next turn; the others are for a chance move. */
export function isTurnPlan(luck: unknown): boolean {
  return (luck as { type?: string } | null)?.type === 'turn';
}

/** Returns a text about a plan. */
export function planText(
  about: 'if' | 'forget' | 'deciding' | 'kept' | 'dropped',
  luck: unknown,
  game: Pick<GameModule, 'luckName'>,
  gaps: { reason?: string } = {},
): string {
  if (isTurnPlan(luck)) return t(`plan.turn.${about}`, gaps);
  return t(`plan.${about}`, { luck: game.luckName?.(luck, t) ?? '', ...gaps });
}
