import { serverAnswers } from '../../net/api/transfer';
import { SITE } from '../../net/localMode';

/** Whether there is a server to bring games to; null while nobody knows. */
let answers = $state<boolean | null>(null);
let asking = false;

export function near(): boolean {
  return answers ?? false;
}

/** Asks, unless the answer is known. */
export async function lookOut(): Promise<void> {
  if (SITE || answers !== null || asking || !navigator.onLine) return;
  asking = true;
  answers = await serverAnswers();
  asking = false;
}
