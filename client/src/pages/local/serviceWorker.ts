import { LOCAL_PREFIX, STATIC_SITE } from '../../net/localMode';

/** Browsers have none for addresses that are not secure. */
const workers = (): ServiceWorkerContainer | undefined =>
  import.meta.env.PROD && 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;

let registered: ServiceWorkerRegistration | null = null;

/** Whether all that this page needs is kept: it came from a service worker itself. */
export function isCached(): boolean {
  return Boolean(workers()?.controller);
}

/** Once everything is here a service worker keeps it. Says when it has kept a newer version, which waits to be taken. */
export async function cacheOffline(newer: () => void): Promise<boolean> {
  const service = workers();
  if (!service) return false;
  try {
    const taken = new Promise((resolve) => service.addEventListener('controllerchange', resolve, { once: true }));
    const [file, scope] = STATIC_SITE ? ['./offline.js', './'] : ['/offline.js', LOCAL_PREFIX];
    registered = await service.register(file, { scope });
    watch(registered, newer);
    registered.update().catch(() => {}); // browsers look for themselves, but not at once
    if (!service.controller) await taken; // until then parts of this page still come from the network
    return true;
  } catch {
    return false; // then it needs the network to be opened, and nothing else is worse
  }
}

function watch(registration: ServiceWorkerRegistration, newer: () => void): void {
  const look = (): void => {
    if (registration.waiting && registration.active) newer();
  };
  look();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
}

/** The newer version takes over, and the page starts anew with it. */
export function activateUpdate(): void {
  workers()?.addEventListener('controllerchange', () => location.reload(), { once: true });
  registered?.waiting?.postMessage('take over');
}
