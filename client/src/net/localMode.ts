/** Pages under this address open a house of their own, in the browser, instead of asking the server. */
export const LOCAL_PREFIX = '/here';

/** What the page says of itself. */
const pageData = typeof document === 'undefined' ? {} : document.documentElement.dataset;

/** Whether this page lies in a folder of files, where there is no server at all; `polyopolis site` marks it. */
export const STATIC_SITE = pageData['site'] !== undefined;

/** How many bytes there are to load for a house in the page, with all pages of it. */
export const DOWNLOAD_BYTES = Number(pageData['load'] ?? 0);

/** Whether a path of a server leads to a page that needs none. */
export function isLocalPath(path: string): boolean {
  return path === LOCAL_PREFIX || path.startsWith(`${LOCAL_PREFIX}/`);
}

/** Whether this page is one. It stays what it is: a way from one to the other loads a page anew. */
export const LOCAL = STATIC_SITE || (typeof location !== 'undefined' && isLocalPath(location.pathname));

const KEY = 'polyopolis.here';

/** Somebody knows how much there is to load, and wants it. */
export function rememberConsent(): void {
  try {
    localStorage.setItem(KEY, 'wanted');
  } catch {
    // Then they are asked again.
  }
}

export function hasConsent(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
