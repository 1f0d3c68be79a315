import type { TableRatings, Who } from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;

/** What people have played, and how well. Only a server knows that. */
export const profiles = {
  own: () => request<Who>('/me/who'),
  share: (shared: boolean) => request<Who>('/me/who', { shared }),
  sharedBy: (word: string) => request<Who>(`/who/${encodeURIComponent(word)}`),
  /** Of those who sit at a rated table. */
  ratingsAt: (table: string) => request<TableRatings>(`/tables/${encodeURIComponent(table)}/ratings`),
};
