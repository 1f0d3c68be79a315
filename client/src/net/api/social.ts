import type { Arrange, Conversation, Ignore, OpenTables, React, Remark, TableInfo } from '../../wire/server';
import { HOUSE } from '../currentBackend';

const table = (id: string): string => `/tables/${encodeURIComponent(id)}`;

/** What is asked about the company of others; only a server has it. */
export const company = {
  openTables: () => HOUSE.request<OpenTables>('/open-tables'),
  /** Who is invited, and whether people may write. */
  arrange: (id: string, wish: Arrange) => HOUSE.request<TableInfo>(`${table(id)}/arrangement`, wish),
  talk: (id: string) => HOUSE.request<Conversation>(`${table(id)}/talk`),
  say: (id: string, text: string) => HOUSE.request<Remark>(`${table(id)}/talk`, { text }),
  ignore: (id: string, wish: Ignore) => HOUSE.request<Conversation>(`${table(id)}/talk/ignored`, wish),
  report: (id: string, remark: string) =>
    HOUSE.request<unknown>(`${table(id)}/talk/${encodeURIComponent(remark)}/reports`, {}),
  react: (id: string, wish: React) => HOUSE.request<React>(`${table(id)}/reactions`, wish),
};
