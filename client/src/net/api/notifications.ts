import type { Manners, NewHook, NewMail, NewPush, Notices, Tried } from '../../wire/server';
import { BACKEND } from '../currentBackend';

const receiver = (id: string): string => `/notices/receivers/${encodeURIComponent(id)}`;

/** Settings of the notifications about own turns. Server only. */
export const notifications = {
  show: () => BACKEND.request<Notices>('/notices'),
  add: (wish: NewPush | NewMail | NewHook) => BACKEND.request<Notices>('/notices/receivers', wish),
  remove: (id: string) => BACKEND.request<Notices>(`${receiver(id)}/removal`, {}),
  sendTest: (id: string) => BACKEND.request<Tried>(`${receiver(id)}/trial`, {}),
  setPreferences: (wish: Manners) => BACKEND.request<Notices>('/notices/manners', wish),
  /** Confirms the address of a receiver with the token of a mailed link. */
  confirmAddress: (token: string) => BACKEND.request<unknown>('/notices/proofs', { token }),
  unsubscribe: (token: string) => BACKEND.request<unknown>(`/notices/stop/${encodeURIComponent(token)}`, {}),
};
