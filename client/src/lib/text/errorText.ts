import type { GameModule } from '../../games/types';
import { t, tMaybe } from '../../i18n/index.svelte';
import { ApiError } from '../../net/backend';
import type { Connection } from '../../net/table/socket';
import type { Reason } from '../../wire/server';

/** Returns a text for an error, in the language of the page. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return t('error.other');
  switch (error.status) {
    case 0:
      return t('error.unreachable');
    case 403:
      return t('error.forbidden');
    case 404:
      return t('error.missing');
    case 409:
      return t('lost.unreadable');
    case 423:
      return t('error.sealed');
    case 507:
      return t('error.full');
    case 429:
      return error.wait ? t('error.wait', { time: secondsText(error.wait) }) : t('error.tooMany');
    case 503:
      return t('reason.not-saved');
    default:
      return t('error.other');
  }
}

function secondsText(seconds: number): string {
  return seconds > 120 ? `${Math.ceil(seconds / 60)}\u00a0min` : `${seconds}\u00a0s`;
}

/** Why a connection failed for good; empty while it may still work. */
export function connectionProblem(connection: Connection | undefined): string {
  switch (connection) {
    case 'no-table':
      return t('lost.table');
    case 'unreadable':
      return t('lost.unreadable');
    case 'sealed':
      return t('error.sealed');
    case 'refused':
      return t('lost.refused');
    default:
      return '';
  }
}

export function refusalText(reason: Reason, game: GameModule | null): string {
  return game?.reason(reason, t) ?? tMaybe(`reason.${reason.code}`, t('reason.other'));
}
