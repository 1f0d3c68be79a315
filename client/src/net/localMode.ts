/** Pages under this address open a house of their own, in the browser, instead of asking the server. */
export const PREFIX = '/here';

/** What the page says of itself. */
const marks = typeof document === 'undefined' ? {} : document.documentElement.dataset;

/** Whether this page lies in a folder of files, where there is no server at all; `polyopolis site` marks it. */
export const SITE = marks['site'] !== undefined;

/** How many bytes there are to load for a house in the page, with all pages of it. */
export const LOAD = Number(marks['load'] ?? 0);

/** Whether a path of a server leads to a page that needs none. */
export function isHere(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/** Whether this page is one. It stays what it is: a way from one to the other loads a page anew. */
export const HERE = SITE || (typeof location !== 'undefined' && isHere(location.pathname));

const KEY = 'polyopolis.here';

/** Somebody knows how much there is to load, and wants it. */
export function want(): void {
  try {
    localStorage.setItem(KEY, 'wanted');
  } catch {
    // Then they are asked again.
  }
}

export function isWanted(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
