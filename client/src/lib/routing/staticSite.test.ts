import { expect, it, vi } from 'vitest';

vi.stubGlobal('document', { documentElement: { dataset: { site: '' } } });
vi.resetModules(); // they read the mark of the page once
const { address, parseRoute, pathOf } = await import('./router');

const at = (href: string) => pathOf(new URL(href, 'https://host/some/folder/'));

it.each([
  [{ page: 'home' }, './'],
  [{ page: 'table', table: 'a/b' }, './?/t/a%2Fb'],
  [{ page: 'replay', table: 'x', match: 3 }, './?/t/x/replay/3'],
] as const)('encodes %o in the query', (route, href) => {
  expect(address(route)).toBe(href);
  expect(parseRoute(at(`${href}#12`))).toEqual(route);
});

it('rejects pages that need a server', () => expect(parseRoute('/me')).toEqual({ page: 'server' }));

it('ignores other parts of the query', () => {
  expect(at('index.html')).toBe('/');
  expect(at('./?utm_source=letter')).toBe('/');
  expect(at('./?/t/x&from=letter')).toBe('/t/x');
});
