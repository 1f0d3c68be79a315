import type { NewPush } from '../../wire/server';

const WORKER = '/push.js';
const SCOPE = '/push/';

/** Why this browser cannot be told anything: it cannot, an iPhone whose page is not on the home screen, or not wanted. */
export type PushSupport = 'yes' | 'no' | 'home-screen' | 'denied';

export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return /iPhone|iPad/.test(navigator.userAgent) ? 'home-screen' : 'no';
  return Notification.permission === 'denied' ? 'denied' : 'yes';
}

/** The address under which this browser is told; null if it is not. */
export async function currentEndpoint(): Promise<string | null> {
  if (pushSupport() === 'no' || pushSupport() === 'home-screen') return null;
  const worker = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await worker?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Asks for permission and subscribes; null if somebody does not want it after all. */
export async function subscribe(key: string, language: string): Promise<NewPush | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const worker = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  await ready(worker);
  const before = await worker.pushManager.getSubscription();
  await before?.unsubscribe(); // it may be of another key
  const found = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = found.toJSON();
  return {
    type: 'push',
    endpoint: endpoint ?? '',
    p256dh: keys?.['p256dh'] ?? '',
    auth: keys?.['auth'] ?? '',
    language,
  };
}

export async function unsubscribe(): Promise<void> {
  const worker = await navigator.serviceWorker.getRegistration(SCOPE);
  await (await worker?.pushManager.getSubscription())?.unsubscribe();
}

/** A worker whose pages are never open is not waited for by `serviceWorker.ready`. */
function ready({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  const coming = installing ?? waiting;
  if (active || !coming) return Promise.resolve();
  return new Promise((resolve) =>
    coming.addEventListener('statechange', () => coming.state === 'activated' && resolve()),
  );
}

function bytes(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}
