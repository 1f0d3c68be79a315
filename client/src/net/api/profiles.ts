import type { TableRatings, Who } from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;

/** What people have played, and how well. Only a server knows that. */
export const whos = {
  mine: () => request<Who>('/me/who'),
  share: (shared: boolean) => request<Who>('/me/who', { shared }),
  shown: (word: string) => request<Who>(`/who/${encodeURIComponent(word)}`),
  /** Of those who sit at a rated table. */
  at: (table: string) => request<TableRatings>(`/tables/${encodeURIComponent(table)}/ratings`),
};
