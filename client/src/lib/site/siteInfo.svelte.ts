import { api } from '../../net/api/api';
import type { Hello } from '../../wire/server';

let heard = $state.raw<Hello | null>(null);

/** What the server said last; null before it was asked. */
export function hello(): Hello | null {
  return heard;
}

/** The address that people use for this server, for links to pass on. */
export function origin(): string {
  return heard?.address.replace(/\/+$/, '') || location.origin;
}

/** Whether nobody on another device can follow a link to this page. */
export function onlyHere(): boolean {
  return !heard?.address && /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname);
}

/** Asks the server. It also brings the cookie that says who we are, so it comes before any socket. */
export async function sayHello(): Promise<Hello> {
  heard = await api.hello();
  return heard;
}
