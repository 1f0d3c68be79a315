import type {
  RequestMail,
  PersonalData,
  SignIn,
  MailSent,
  OwnAccount,
  SignInCode,
  PasskeyOptions,
  ProofResult,
  PasskeyProof,
} from '../../wire/accounts';
import { SERVER } from '../serverBackend';

const { request } = SERVER;

/** Requests about the own account. Server only. */
export const accounts = {
  me: () => request<OwnAccount>('/me'),
  rename: (name: string) => request<OwnAccount>('/me/name', { name }),
  belongings: () => request<PersonalData>('/me/belongings'),

  newPasskeyOptions: () => request<PasskeyOptions>('/me/passkeys/options', {}),
  addPasskey: (shown: PasskeyProof) => request<OwnAccount>('/me/passkeys', shown),
  forgetPasskey: (id: string) => request<OwnAccount>(`/me/passkeys/${encodeURIComponent(id)}/forget`, {}),
  forgetMail: (address: string) => request<OwnAccount>('/me/mails/forget', { address }),
  makeCode: (kind: 'code' | 'recovery') => request<SignInCode>(`/me/${kind}`, {}),
  forgetCode: () => request<OwnAccount>('/me/code/forget', {}),

  requestMailCode: (wish: RequestMail) => request<MailSent>('/sign-in/letter', wish),
  passkeyOptions: () => request<PasskeyOptions>('/sign-in/passkey/options', {}),
  submitPasskey: (shown: PasskeyProof) => request<ProofResult>('/sign-in/passkey', shown),
  submitCode: (word: string) => request<ProofResult>('/sign-in/code', { word }),
  submitMailCode: (word: string) => request<ProofResult>('/sign-in/word', { word }),
  signIn: (wish: SignIn) => request<OwnAccount>('/sign-in', wish),

  signOut: () => request<OwnAccount>('/sign-out', {}),
  signOutAt: (device: string) => request<OwnAccount>(`/me/devices/${encodeURIComponent(device)}/sign-out`, {}),
  deleteAccount: () => request<OwnAccount>('/me/delete', {}),
};

/** Returns a record or a campaign as the bytes of a JSON file. */
export async function fetchFile(path: string): Promise<Uint8Array> {
  return new TextEncoder().encode(JSON.stringify(await request<unknown>(path)));
}
