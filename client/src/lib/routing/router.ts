import { LOCAL, isLocalPath, LOCAL_PREFIX, STATIC_SITE } from '../../net/localMode';

/** The pages and their parameters. */
export type Route =
  | { page: 'home' }
  | { page: 'new'; game: string }
  | { page: 'table'; table: string }
  | { page: 'replay'; table: string; match: number }
  | { page: 'review'; table: string; match: number }
  | { page: 'print'; table: string; match: number }
  | { page: 'paper'; game: string; episode: number }
  | { page: 'campaign'; table: string }
  | { page: 'again'; table: string }
  | { page: 'rules'; game: string }
  | { page: 'code' }
  | { page: 'open' }
  /** A day; null is today. */
  | { page: 'daily'; day: string | null }
  | { page: 'me' }
  /** The own profile (null), or one that is shared under this word. */
  | { page: 'who'; word: string | null }
  | { page: 'notices' }
  | { page: 'mailed'; what: 'prove' | 'stop'; token: string }
  /** A page that needs a server, requested without one. */
  | { page: 'server' }
  | { page: 'lost' };

/** Pages that need other players, other devices or an account. */
const SERVER_ONLY_PAGES: readonly (string | undefined)[] = ['code', 'me', 'notices', 'open', 'who'];

export function parseRoute(path: string): Route {
  const parts = (isLocalPath(path) ? path.slice(LOCAL_PREFIX.length) : path).split('/').filter(Boolean).map(decoded);
  const [first, second, third, fourth] = parts;
  if (parts.length === 0) return { page: 'home' };
  if (SERVER_ONLY_PAGES.includes(first) && (STATIC_SITE || isLocalPath(path))) return { page: 'server' };
  if (first === 'code' && parts.length === 1) return { page: 'code' };
  if (first === 'daily' && parts.length <= 2) return { page: 'daily', day: second ?? null };
  if (first === 'open' && parts.length === 1) return { page: 'open' };
  if (first === 'me' && parts.length === 1) return { page: 'me' };
  if (first === 'who' && parts.length <= 2) return { page: 'who', word: second ?? null };
  if (first === 'notices' && parts.length === 1) return { page: 'notices' };
  if (first === 'notices' && (second === 'prove' || second === 'stop') && third && parts.length === 3)
    return { page: 'mailed', what: second, token: third };
  if (first === 'rules' && second && parts.length === 2) return { page: 'rules', game: second };
  if (first === 'new' && second && parts.length === 2) return { page: 'new', game: second };
  if (first === 't' && second && parts.length === 2) return { page: 'table', table: second };
  if (first === 't' && second && (third === 'campaign' || third === 'again') && parts.length === 3)
    return { page: third, table: second };
  if (first === 't' && second && isMatchPage(third) && fourth && /^\d+$/.test(fourth) && parts.length === 4)
    return { page: third, table: second, match: Number(fourth) };
  if (first === 'print' && second && third && /^\d+$/.test(third) && parts.length === 3)
    return { page: 'paper', game: second, episode: Number(third) };
  return { page: 'lost' };
}

function isMatchPage(page: string | undefined): page is 'replay' | 'review' | 'print' {
  return page === 'replay' || page === 'review' || page === 'print';
}

/** The address of a page in the current backend. */
export function address(route: Route): string {
  const path = pathOfRoute(route);
  if (STATIC_SITE) return path === '/' ? './' : `./?${path}`;
  return `${LOCAL ? LOCAL_PREFIX : ''}${path}`;
}

/** The path of a page by its address. A static host has a single page, so the path is in the query of the address. */
export function pathOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  return STATIC_SITE ? (/^\?(\/[^&]*)/.exec(search)?.[1] ?? '/') : pathname;
}

function pathOfRoute(route: Route): string {
  switch (route.page) {
    case 'new':
      return `/new/${encodeURIComponent(route.game)}`;
    case 'table':
      return `/t/${encodeURIComponent(route.table)}`;
    case 'replay':
    case 'review':
    case 'print':
      return `/t/${encodeURIComponent(route.table)}/${route.page}/${route.match}`;
    case 'paper':
      return `/print/${encodeURIComponent(route.game)}/${route.episode}`;
    case 'campaign':
    case 'again':
      return `/t/${encodeURIComponent(route.table)}/${route.page}`;
    case 'rules':
      return `/rules/${encodeURIComponent(route.game)}`;
    case 'code':
    case 'open':
    case 'me':
    case 'notices':
      return `/${route.page}`;
    case 'mailed':
      return `/notices/${route.what}/${encodeURIComponent(route.token)}`;
    case 'who':
      return route.word === null ? '/who' : `/who/${encodeURIComponent(route.word)}`;
    case 'daily':
      return route.day === null ? '/daily' : `/daily/${encodeURIComponent(route.day)}`;
    default:
      return '/';
  }
}

/** The frame that `#n` names, at most the last one. */
export function frameOfHash(hash: string, frames: number): number {
  const found = /^#(\d+)$/.exec(hash);
  return found ? Math.min(Number(found[1]), Math.max(0, frames - 1)) : 0;
}

/** Returns the path of a link inside the client; null if the browser should follow the link itself. */
export function linkTarget(event: MouseEvent, origin: string): string | null {
  if (event.defaultPrevented || event.button !== 0) return null;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return null;
  const url = new URL(link.href);
  if (url.origin !== origin || url.pathname.startsWith('/api/') || link.getAttribute('href')?.startsWith('#'))
    return null;
  if (STATIC_SITE ? url.pathname !== location.pathname : isLocalPath(url.pathname) !== LOCAL) return null; // another backend
  return url.pathname + url.search + url.hash;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
