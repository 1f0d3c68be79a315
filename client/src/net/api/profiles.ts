import type { TableRatings, Profile } from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;

/** Profiles and ratings. Server only. */
export const profiles = {
  own: () => request<Profile>('/me/who'),
  share: (shared: boolean) => request<Profile>('/me/who', { shared }),
  sharedBy: (word: string) => request<Profile>(`/who/${encodeURIComponent(word)}`),
  /** The ratings of the players at a rated table. */
  ratingsAt: (table: string) => request<TableRatings>(`/tables/${encodeURIComponent(table)}/ratings`),
};
