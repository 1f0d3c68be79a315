import type { Manners, NewHook, NewMail, NewPush, Notices, Tried } from '../../wire/server';
import { BACKEND } from '../currentBackend';

const receiver = (id: string): string => `/notices/receivers/${encodeURIComponent(id)}`;

/** Where and when somebody is told that it is their turn; only a server can do that. */
export const notifications = {
  show: () => BACKEND.request<Notices>('/notices'),
  add: (wish: NewPush | NewMail | NewHook) => BACKEND.request<Notices>('/notices/receivers', wish),
  remove: (id: string) => BACKEND.request<Notices>(`${receiver(id)}/removal`, {}),
  sendTest: (id: string) => BACKEND.request<Tried>(`${receiver(id)}/trial`, {}),
  setPreferences: (wish: Manners) => BACKEND.request<Notices>('/notices/manners', wish),
  /** A link in a mail was followed. */
  confirmAddress: (token: string) => BACKEND.request<unknown>('/notices/proofs', { token }),
  unsubscribe: (token: string) => BACKEND.request<unknown>(`/notices/stop/${encodeURIComponent(token)}`, {}),
};
