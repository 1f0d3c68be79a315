/** Pages below this path use a local backend instead of the server. */
export const LOCAL_PREFIX = '/here';

const pageData = typeof document === 'undefined' ? {} : document.documentElement.dataset;

/** Whether a static host delivered this page, so that there is no server; `polyopolis site` marks such a page. */
export const STATIC_SITE = pageData['site'] !== undefined;

/** Download size of the local backend with all pages, in bytes. */
export const DOWNLOAD_BYTES = Number(pageData['load'] ?? 0);

/** Whether a path of a server leads to a page with a local backend. */
export function isLocalPath(path: string): boolean {
  return path === LOCAL_PREFIX || path.startsWith(`${LOCAL_PREFIX}/`);
}

/** Whether this page uses a local backend. This never changes: a link to the other mode reloads the page. */
export const LOCAL = STATIC_SITE || (typeof location !== 'undefined' && isLocalPath(location.pathname));

const KEY = 'polyopolis.here';

/** Remembers that the player agreed to the download. */
export function rememberConsent(): void {
  try {
    localStorage.setItem(KEY, 'wanted');
  } catch {
    // No storage: the page asks again next time.
  }
}

export function hasConsent(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
