import type {
  Arrange,
  ChatHistory,
  Ignore,
  OpenTables,
  SendReaction,
  ChatMessageView,
  TableInfo,
} from '../../wire/server';
import { BACKEND } from '../currentBackend';

const table = (id: string): string => `/tables/${encodeURIComponent(id)}`;

/** Chat, reactions and open tables. Server only. */
export const social = {
  openTables: () => BACKEND.request<OpenTables>('/open-tables'),
  /** Sets who is invited and whether the players may chat. */
  arrange: (id: string, wish: Arrange) => BACKEND.request<TableInfo>(`${table(id)}/arrangement`, wish),
  talk: (id: string) => BACKEND.request<ChatHistory>(`${table(id)}/talk`),
  say: (id: string, text: string) => BACKEND.request<ChatMessageView>(`${table(id)}/talk`, { text }),
  ignore: (id: string, wish: Ignore) => BACKEND.request<ChatHistory>(`${table(id)}/talk/ignored`, wish),
  report: (id: string, remark: string) =>
    BACKEND.request<unknown>(`${table(id)}/talk/${encodeURIComponent(remark)}/reports`, {}),
  react: (id: string, wish: SendReaction) => BACKEND.request<SendReaction>(`${table(id)}/reactions`, wish),
};
