import { isServerBehindPage } from '../../net/api/transfer';
import { STATIC_SITE } from '../../net/localMode';

/** Whether there is a server to bring games to; null while nobody knows. */
let answers = $state<boolean | null>(null);
let asking = false;

export function isServerReachable(): boolean {
  return answers ?? false;
}

/** Asks, unless the answer is known. */
export async function checkServer(): Promise<void> {
  if (STATIC_SITE || answers !== null || asking || !navigator.onLine) return;
  asking = true;
  answers = await isServerBehindPage();
  asking = false;
}
