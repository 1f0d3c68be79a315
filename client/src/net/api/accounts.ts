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

/** Requests about the own account. Server only. */
export const accounts = {
  me: () => request<Me>('/me'),
  rename: (name: string) => request<Me>('/me/name', { name }),
  belongings: () => request<Belonging>('/me/belongings'),

  newPasskeyOptions: () => request<PasskeyAsked>('/me/passkeys/options', {}),
  addPasskey: (shown: ShowPasskey) => request<Me>('/me/passkeys', shown),
  forgetPasskey: (id: string) => request<Me>(`/me/passkeys/${encodeURIComponent(id)}/forget`, {}),
  forgetMail: (address: string) => request<Me>('/me/mails/forget', { address }),
  makeCode: (kind: 'code' | 'recovery') => request<OwnCode>(`/me/${kind}`, {}),
  forgetCode: () => request<Me>('/me/code/forget', {}),

  requestMailCode: (wish: AskLetter) => request<LetterSent>('/sign-in/letter', wish),
  passkeyOptions: () => request<PasskeyAsked>('/sign-in/passkey/options', {}),
  submitPasskey: (shown: ShowPasskey) => request<Proved>('/sign-in/passkey', shown),
  submitCode: (word: string) => request<Proved>('/sign-in/code', { word }),
  submitMailCode: (word: string) => request<Proved>('/sign-in/word', { word }),
  signIn: (wish: Enter) => request<Me>('/sign-in', wish),

  signOut: () => request<Me>('/sign-out', {}),
  signOutAt: (device: string) => request<Me>(`/me/devices/${encodeURIComponent(device)}/sign-out`, {}),
  deleteAccount: () => request<Me>('/me/delete', {}),
};

/** Returns a record or a campaign as the bytes of a JSON file. */
export async function fetchFile(path: string): Promise<Uint8Array> {
  return new TextEncoder().encode(JSON.stringify(await request<unknown>(path)));
}
