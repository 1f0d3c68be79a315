/** Pages under this address open a house of their own, in the browser, instead of asking the server. */
export const PREFIX = '/here';

/** Whether an address leads to such a page. */
export function isHere(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`);
}

/** Whether this page is one. It stays what it is: a way from one to the other loads a page anew. */
export const HERE = typeof location !== 'undefined' && isHere(location.pathname);
