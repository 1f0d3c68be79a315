import type { MakeToken, OwnBots, TokenMade } from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;
const of = (bot: string): string => `/me/bots/${encodeURIComponent(bot)}`;

/** All that pages ask about the outside bots of somebody. Only a server has them. */
export const bots = {
  mine: () => request<OwnBots>('/me/bots'),
  make: (name: string) => request<OwnBots>('/me/bots', { name }),
  makeToken: (bot: string, wish: MakeToken) => request<TokenMade>(`${of(bot)}/tokens`, wish),
  revoke: (bot: string, token: string) => request<OwnBots>(`${of(bot)}/tokens/${token}/revoke`, {}),
  giveUp: (bot: string) => request<OwnBots>(`${of(bot)}/delete`, {}),
};
