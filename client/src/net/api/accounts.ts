import type {
  AskLetter,
  Belonging,
  Enter,
  LetterSent,
  Me,
  OwnCode,
  PasskeyAsked,
  Proved,
  ShowPasskey,
} from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;

/** All that pages ask about who somebody is. Only a server knows that. */
export const accounts = {
  me: () => request<Me>('/me'),
  call: (name: string) => request<Me>('/me/name', { name }),
  belongings: () => request<Belonging>('/me/belongings'),

  askNewPasskey: () => request<PasskeyAsked>('/me/passkeys/options', {}),
  addPasskey: (shown: ShowPasskey) => request<Me>('/me/passkeys', shown),
  forgetPasskey: (id: string) => request<Me>(`/me/passkeys/${encodeURIComponent(id)}/forget`, {}),
  forgetMail: (address: string) => request<Me>('/me/mails/forget', { address }),
  makeCode: (kind: 'code' | 'recovery') => request<OwnCode>(`/me/${kind}`, {}),
  forgetCode: () => request<Me>('/me/code/forget', {}),

  askLetter: (wish: AskLetter) => request<LetterSent>('/sign-in/letter', wish),
  askPasskey: () => request<PasskeyAsked>('/sign-in/passkey/options', {}),
  showPasskey: (shown: ShowPasskey) => request<Proved>('/sign-in/passkey', shown),
  showCode: (word: string) => request<Proved>('/sign-in/code', { word }),
  showLetter: (word: string) => request<Proved>('/sign-in/word', { word }),
  enter: (wish: Enter) => request<Me>('/sign-in', wish),

  signOut: () => request<Me>('/sign-out', {}),
  signOutAt: (device: string) => request<Me>(`/me/devices/${encodeURIComponent(device)}/sign-out`, {}),
  giveUp: () => request<Me>('/me/delete', {}),
};

/** A record or a campaign as a file. */
export async function fileOf(path: string): Promise<Uint8Array> {
  return new TextEncoder().encode(JSON.stringify(await request<unknown>(path)));
}
