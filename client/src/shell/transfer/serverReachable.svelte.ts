import { isServerBehindPage } from '../../net/api/transfer';
import { STATIC_SITE } from '../../net/localMode';

/** Whether a server can take games; null while unknown. */
let answers = $state<boolean | null>(null);
let asking = false;

export function isServerReachable(): boolean {
  return answers ?? false;
}

/** Checks once whether a server answers. */
export async function checkServer(): Promise<void> {
  if (STATIC_SITE || answers !== null || asking || !navigator.onLine) return;
  asking = true;
  answers = await isServerBehindPage();
  asking = false;
}
