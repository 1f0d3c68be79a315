import { linkTarget, parseRoute, pathOf, type Route } from './router';

const place = $state<{ path: string; hash: string }>({ path: '/', hash: '' });
const found = $derived(parseRoute(place.path));

function look(): void {
  place.path = pathOf(location);
  place.hash = location.hash;
}

export function route(): Route {
  return found;
}

export function hash(): string {
  return place.hash;
}

export function navigate(to: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', to);
  const before = place.path;
  look();
  if (before !== place.path) scrollTo(0, 0);
}

/** Replaces the hash of the address without a new entry in the history. */
export function replaceHash(fragment: string): void {
  history.replaceState(history.state, '', fragment);
  place.hash = location.hash;
}

export function startRouter(): void {
  look();
  addEventListener('popstate', look);
  addEventListener('hashchange', look);
  document.addEventListener('click', (event) => {
    const to = linkTarget(event, location.origin);
    if (to === null) return;
    event.preventDefault();
    navigate(to);
  });
}
