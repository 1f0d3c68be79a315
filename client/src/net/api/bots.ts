import type { CreateToken, OwnBots, CreatedToken } from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;
const of = (bot: string): string => `/me/bots/${encodeURIComponent(bot)}`;

/** Requests about the outside bots of the own account. Server only. */
export const ownBots = {
  list: () => request<OwnBots>('/me/bots'),
  create: (name: string) => request<OwnBots>('/me/bots', { name }),
  createToken: (bot: string, wish: CreateToken) => request<CreatedToken>(`${of(bot)}/tokens`, wish),
  revoke: (bot: string, token: string) => request<OwnBots>(`${of(bot)}/tokens/${token}/revoke`, {}),
  delete: (bot: string) => request<OwnBots>(`${of(bot)}/delete`, {}),
};
