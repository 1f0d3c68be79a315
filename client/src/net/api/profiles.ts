import type { TableRatings, Who } from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;

/** Profiles and ratings. Server only. */
export const profiles = {
  own: () => request<Who>('/me/who'),
  share: (shared: boolean) => request<Who>('/me/who', { shared }),
  sharedBy: (word: string) => request<Who>(`/who/${encodeURIComponent(word)}`),
  /** The ratings of the players at a rated table. */
  ratingsAt: (table: string) => request<TableRatings>(`/tables/${encodeURIComponent(table)}/ratings`),
};
