import { api } from '../../net/api/api';
import type { SiteInfo } from '../../wire/server';

let current = $state.raw<SiteInfo | null>(null);

/** The last response of the server; null before the first one. */
export function siteInfo(): SiteInfo | null {
  return current;
}

/** The public address of this server, for links to share. */
export function siteOrigin(): string {
  return current?.address.replace(/\/+$/, '') || location.origin;
}

/** Whether links to this page work on this device only. */
export function isLocalAddress(): boolean {
  return !current?.address && /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

/** Requests the site info. The response also sets the cookie of the session, so it comes before any socket. */
export async function loadSiteInfo(): Promise<SiteInfo> {
  current = await api.hello();
  return current;
}
