/**
 * The service worker that receives push messages while no page of the site is open. It caches nothing and handles no
 * requests: its scope (`/push/`) is separate from the one of the worker for `/here`.
 */
addEventListener('push', (event) => {
  event.waitUntil(show(event.data?.json() ?? {}));
});

/** A repeated notification replaces the former one silently. */
async function show({ title = 'Polyopolis', body = '', tag, path = '/', waiting = 0 }) {
  if (waiting) await self.navigator.setAppBadge?.(waiting)?.catch(() => null);
  await self.registration.showNotification(title, { body, tag, icon: '/icon.svg', data: { path } });
}

/** Opens the table, in a page that shows it already or in a new one. */
addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(new URL(event.notification.data?.path ?? '/', location.origin)));
});

async function open(url) {
  const pages = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const there = pages.find((page) => new URL(page.url).pathname === url.pathname);
  await (there ? there.focus() : clients.openWindow(url.href));
}
