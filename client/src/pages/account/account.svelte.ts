import { t, type Key } from '../../i18n/index.svelte';
import { announce } from '../../lib/page/announcer.svelte';
import { loadSiteInfo } from '../../lib/site/siteInfo.svelte';
import { errorText } from '../../lib/text/errorText';
import { accounts } from '../../net/api/accounts';
import { ApiError } from '../../net/backend';
import type { Me, Proved } from '../../wire/accounts';

/** What an error means where something is proved or changed, by its status; whatever else is said as everywhere. */
export type ErrorTexts = Readonly<Partial<Record<number, Key>>>;

/** Who somebody is on this page, and what they are doing about it. */
export class Account {
  me = $state.raw<Me | null>(null);
  problem = $state('');
  busy = $state(false);
  /** What somebody has proved and has not entered with. */
  proved = $state.raw<Proved | null>(null);

  /** Does something that may fail; whether it did not. */
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

  /** Somebody has proved who they are. What they asked for in so many words is done, everything else is a question. */
  async prove(proving: Promise<Proved>, wanted: boolean): Promise<void> {
    const proved = await proving;
    if (wanted && !proved.here) await this.signIn(proved, true);
    else this.proved = proved;
  }

  async signIn({ ticket, does }: Proved, bring: boolean): Promise<void> {
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
