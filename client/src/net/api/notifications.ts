import type { Manners, NewHook, NewMail, NewPush, Notices, Tried } from '../../wire/server';
import { HOUSE } from '../currentBackend';

const receiver = (id: string): string => `/notices/receivers/${encodeURIComponent(id)}`;

/** Where and when somebody is told that it is their turn; only a server can do that. */
export const notices = {
  show: () => HOUSE.request<Notices>('/notices'),
  add: (wish: NewPush | NewMail | NewHook) => HOUSE.request<Notices>('/notices/receivers', wish),
  remove: (id: string) => HOUSE.request<Notices>(`${receiver(id)}/removal`, {}),
  try: (id: string) => HOUSE.request<Tried>(`${receiver(id)}/trial`, {}),
  behave: (wish: Manners) => HOUSE.request<Notices>('/notices/manners', wish),
  /** A link in a mail was followed. */
  prove: (token: string) => HOUSE.request<unknown>('/notices/proofs', { token }),
  stop: (token: string) => HOUSE.request<unknown>(`/notices/stop/${encodeURIComponent(token)}`, {}),
};
