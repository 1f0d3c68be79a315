/**
 * Passkeys: passes the options of the server to the authenticator and returns its answer, both as JSON with bytes in
 * base64url.
 */
type Json = Readonly<Record<string, unknown>>;

/** Whether passkeys work: in browsers that support them, on pages over HTTPS or from localhost. */
export function hasPasskeys(): boolean {
  return isSecureContext && 'PublicKeyCredential' in globalThis && !/^([\d.]+|\[[\da-f:]+\])$/i.test(location.hostname);
}

export async function makePasskey(options: Json): Promise<Record<string, unknown>> {
  const made = await navigator.credentials.create({ publicKey: withBytes(options) as never });
  return written(made);
}

export async function showPasskey(options: Json): Promise<Record<string, unknown>> {
  const shown = await navigator.credentials.get({ publicKey: withBytes(options) as never });
  return written(shown);
}

/** Fields with bytes in the options of the server. */
const BYTES = new Set(['challenge', 'id']);

function withBytes(value: unknown, inside = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => withBytes(each, inside));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'string' && BYTES.has(key) && inside !== 'rp' ? bytesOf(each) : withBytes(each, key),
    ]),
  );
}

function written(credential: Credential | null): Record<string, unknown> {
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('nothing was made', 'NotAllowedError');
  const { response } = credential;
  const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle'] as const;
  const parts = names.flatMap((name) => {
    const part = (response as unknown as Record<string, unknown>)[name];
    return part instanceof ArrayBuffer ? [[name, textOf(part)] as const] : [];
  });
  return {
    id: credential.id,
    rawId: textOf(credential.rawId),
    type: credential.type,
    response: Object.fromEntries(parts),
    clientExtensionResults: {},
  };
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (sign) => sign.charCodeAt(0));
}

export function textOf(bytes: ArrayBuffer): string {
  const signs = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('');
  return btoa(signs).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}
