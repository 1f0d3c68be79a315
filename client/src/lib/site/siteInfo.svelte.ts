import { api } from '../../net/api/api';
import type { Hello } from '../../wire/server';

let current = $state.raw<Hello | null>(null);

/** What the server said last; null before it was asked. */
export function siteInfo(): Hello | null {
  return current;
}

/** The address that people use for this server, for links to pass on. */
export function siteOrigin(): string {
  return current?.address.replace(/\/+$/, '') || location.origin;
}

/** Whether nobody on another device can follow a link to this page. */
export function isLocalAddress(): boolean {
  return !current?.address && /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

/** Asks the server. It also brings the cookie that says who we are, so it comes before any socket. */
export async function loadSiteInfo(): Promise<Hello> {
  current = await api.hello();
  return current;
}
