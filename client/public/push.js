/**
 * The service worker that hears what a site has to tell while none of its pages is open. It keeps nothing and stands between
 * nobody and the network: its scope is an address of its own (`/push/`), so that it is no concern of the worker for `/here`.
 */
addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.json() ?? {}));
});

/** One and the same notice replaces itself; a repeat is not heard. */
async function show({ title = 'Polyopolis', body = '', tag, path = '/', waiting = 0 }) {
  if (waiting) await self.navigator.setAppBadge?.(waiting)?.catch(() => null);
  await self.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { path } });
}

/** To the table: the page that is open there, or a new one. */
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data?.path ?? '/', location.origin)));
});

async function open(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url.pathname);
  await (there ? there.focus() : clients.openWindow(url.href));
}
