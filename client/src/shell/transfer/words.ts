import { openBook } from '../../i18n/books.svelte';
import type carry from '../../i18n/en/books/carry.json';
import { t } from '../../i18n/index.svelte';
import { errorText } from '../../lib/text/errorText';
import { InvalidGameFile } from '../../net/api/transfer';
import { ApiError } from '../../net/backend';

type Words = typeof carry;

/** The texts of transfers are the book `carry`, which is loaded with them. */
declare module '../../i18n/types' {
  interface English extends Words {}
}

export const openWords = (): Promise<void> => openBook('carry');

const [REFUSED, TOO_LARGE] = [400, 413];

/** Why an import failed; `problem` is the message of the backend, in English. */
export function importRefusal(error: unknown): { readonly text: string; readonly problem: string } {
  if (error instanceof InvalidGameFile)
    return { text: t(error.why === 'large' ? 'carry.large' : 'carry.other'), problem: '' };
  if (!(error instanceof ApiError)) return { text: t('carry.full'), problem: '' };
  if (error.status === TOO_LARGE) return { text: t('carry.large'), problem: '' };
  if (error.status === REFUSED) return { text: t('carry.refused'), problem: error.message };
  return { text: errorText(error), problem: '' };
}
