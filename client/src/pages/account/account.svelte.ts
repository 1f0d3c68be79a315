import { t, type Key } from '../../i18n/index.svelte';
import { announce } from '../../lib/page/announcer.svelte';
import { loadSiteInfo } from '../../lib/site/siteInfo.svelte';
import { errorText } from '../../lib/text/errorText';
import { accounts } from '../../net/api/accounts';
import { ApiError } from '../../net/backend';
import type { OwnAccount, ProofResult } from '../../wire/accounts';

/** Texts for errors of sign-in requests by their status; other errors have the general texts. */
export type ErrorTexts = Readonly<Partial<Record<number, Key>>>;

/** The account of this guest, and the request that is running. */
export class Account {
  me = $state.raw<OwnAccount | null>(null);
  problem = $state('');
  busy = $state(false);
  /** A proof of identity that has not been used to sign in. */
  proved = $state.raw<ProofResult | null>(null);

  /** Runs a request and stores its error; returns whether it succeeded. */
  async attempt(work: () => Promise<unknown>, means: ErrorTexts = {}): Promise<boolean> {
    this.busy = true;
    this.problem = '';
    try {
      await work();
      return true;
    } catch (error) {
      this.problem = errorTextFor(error, means);
      return false;
    } finally {
      this.busy = false;
    }
  }

  load(): Promise<boolean> {
    return this.attempt(async () => {
      this.me = await accounts.me();
    });
  }

  /** Uses a proof of identity: signs in if the user asked for exactly that, otherwise asks for confirmation. */
  async prove(proving: Promise<ProofResult>, wanted: boolean): Promise<void> {
    const proved = await proving;
    if (wanted && !proved.here) await this.signIn(proved, true);
    else this.proved = proved;
  }

  async signIn({ ticket, does }: ProofResult, bring: boolean): Promise<void> {
    this.me = await accounts.signIn({ ticket, bring });
    this.proved = null;
    if (does === 'sign-in') announce(t('me.signin.done'));
    await loadSiteInfo();
  }
}

function errorTextFor(error: unknown, means: ErrorTexts): string {
  if (error instanceof ApiError) {
    const meant = means[error.status];
    if (meant) return t(meant);
    if (error.status === 429 && error.wait > 60) return t('me.wait', { count: Math.ceil(error.wait / 60) });
  }
  return errorText(error);
}
