import type { NewPush } from '../../wire/server';

const WORKER = '/push.js';
const SCOPE = '/push/';

/**
 * Whether this browser supports push notifications: `no`, denied by the user, or on an iPhone only from the home
 * screen.
 */
export type PushSupport = 'yes' | 'no' | 'home-screen' | 'denied';

export function pushSupport(): PushSupport {
  if (!('serviceWorker' in navigator) || !('PushManager' in window) || !('Notification' in window))
    return /iPhone|iPad/.test(navigator.userAgent) ? 'home-screen' : 'no';
  return Notification.permission === 'denied' ? 'denied' : 'yes';
}

/** Returns the push endpoint of this browser; null without a subscription. */
export async function currentEndpoint(): Promise<string | null> {
  if (pushSupport() === 'no' || pushSupport() === 'home-screen') return null;
  const worker = await navigator.serviceWorker.getRegistration(SCOPE);
  return (await worker?.pushManager.getSubscription())?.endpoint ?? null;
}

/** Asks for permission and subscribes; null if the user declines. */
export async function subscribe(key: string, language: string): Promise<NewPush | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null;
  const worker = await navigator.serviceWorker.register(WORKER, { scope: SCOPE });
  await ready(worker);
  const before = await worker.pushManager.getSubscription();
  await before?.unsubscribe(); // it may belong to another key
  const subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = subscription.toJSON();
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

/** Waits for the service worker; `serviceWorker.ready` never resolves for a worker whose scope has no open page. */
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
