import { api } from '../net/api';
import type { Hello } from '../wire/server';

let heard = $state.raw<Hello | null>(null);

/** What the server said last; null before it was asked. */
export function hello(): Hello | null {
  return heard;
}

/** Asks the server. It also brings the cookie that says who we are, so it comes before any socket. */
export async function sayHello(): Promise<Hello> {
  heard = await api.hello();
  return heard;
}
