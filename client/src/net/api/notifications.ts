import type {
  NotificationPreferences,
  NewHook,
  NewMail,
  NewPush,
  NotificationSettings,
  TestDelivery,
} from '../../wire/server';
import { BACKEND } from '../currentBackend';

const receiver = (id: string): string => `/notices/receivers/${encodeURIComponent(id)}`;

/** Settings of the notifications about own turns. Server only. */
export const notifications = {
  show: () => BACKEND.request<NotificationSettings>('/notices'),
  add: (wish: NewPush | NewMail | NewHook) => BACKEND.request<NotificationSettings>('/notices/receivers', wish),
  remove: (id: string) => BACKEND.request<NotificationSettings>(`${receiver(id)}/removal`, {}),
  sendTest: (id: string) => BACKEND.request<TestDelivery>(`${receiver(id)}/trial`, {}),
  setPreferences: (wish: NotificationPreferences) => BACKEND.request<NotificationSettings>('/notices/manners', wish),
  /** Confirms the address of a receiver with the token of a mailed link. */
  confirmAddress: (token: string) => BACKEND.request<unknown>('/notices/proofs', { token }),
  unsubscribe: (token: string) => BACKEND.request<unknown>(`/notices/stop/${encodeURIComponent(token)}`, {}),
};
