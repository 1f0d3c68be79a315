import { expect, it, vi } from 'vitest';

vi.stubGlobal('document', { documentElement: { dataset: { site: '' } } });
vi.resetModules(); // they ask once
const { address, parseRoute, pathOf } = await import('./router');

const at = (href: string) => pathOf(new URL(href, 'https://host/some/folder/'));

it.each([
  [{ page: 'home' }, './'],
  [{ page: 'table', table: 'a/b' }, './?/t/a%2Fb'],
  [{ page: 'replay', table: 'x', match: 3 }, './?/t/x/replay/3'],
] as const)('has one page alone, and %o by its query', (route, href) => {
  expect(address(route)).toBe(href);
  expect(parseRoute(at(`${href}#12`))).toEqual(route);
});

it('has no accounts, and says that it would need a server', () =>
  expect(parseRoute('/me')).toEqual({ page: 'server' }));

it('is at home whatever else somebody has written behind its address', () => {
  expect(at('index.html')).toBe('/');
  expect(at('./?utm_source=letter')).toBe('/');
  expect(at('./?/t/x&from=letter')).toBe('/t/x');
});
