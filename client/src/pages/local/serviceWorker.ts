import { LOCAL_PREFIX, STATIC_SITE } from '../../net/localMode';

/** Browsers have no service workers on insecure origins. */
const workers = (): ServiceWorkerContainer | undefined =>
  import.meta.env.PROD && 'serviceWorker' in navigator ? navigator.serviceWorker : undefined;

let registered: ServiceWorkerRegistration | null = null;

/** Whether the page is cached: a service worker delivered it. */
export function isCached(): boolean {
  return Boolean(workers()?.controller);
}

/**
 * Caches all files for offline use and returns whether it succeeded. Calls `newer` when a newer version is cached
 * and waits.
 */
export async function cacheOffline(newer: () => void): Promise<boolean> {
  const service = workers();
  if (!service) return false;
  try {
    const taken = new Promise((resolve) => service.addEventListener('controllerchange', resolve, { once: true }));
    const [file, scope] = STATIC_SITE ? ['./offline.js', './'] : ['/offline.js', LOCAL_PREFIX];
    registered = await service.register(file, { scope });
    watch(registered, newer);
    registered.update().catch(() => {}); // browsers check for updates themselves, but not at once
    if (!service.controller) await taken; // until then chunks of this page still come from the network
    return true;
  } catch {
    return false; // the page works, but only online
  }
}

function watch(registration: ServiceWorkerRegistration, newer: () => void): void {
  const look = (): void => {
    if (registration.waiting && registration.active) newer();
  };
  look();
  registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
}

/** Activates the newer version and reloads the page. */
export function activateUpdate(): void {
  workers()?.addEventListener('controllerchange', () => location.reload(), { once: true });
  registered?.waiting?.postMessage('take over');
}
