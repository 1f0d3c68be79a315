import type { GameModule } from '../../games/types';
import { t } from '../../i18n/index.svelte';
import type {} from './words';

/** Where seats take turns one plans one's own; elsewhere for what may come. */
export function isTurnPlan(luck: unknown): boolean {
  return (luck as { type?: string } | null)?.type === 'turn';
}

/** What is to be said about a plan for this. */
export function planText(
  about: 'if' | 'forget' | 'deciding' | 'kept' | 'dropped',
  luck: unknown,
  game: Pick<GameModule, 'luckName'>,
  gaps: { reason?: string } = {},
): string {
  if (isTurnPlan(luck)) return t(`plan.turn.${about}`, gaps);
  return t(`plan.${about}`, { luck: game.luckName?.(luck, t) ?? '', ...gaps });
}
