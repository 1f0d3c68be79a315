import { describe, expect, it } from 'vitest';
import { address, parseRoute, frameOfHash } from './router';

describe('addresses', () => {
  it.each([
    ['/', { page: 'home' }],
    ['', { page: 'home' }],
    ['/code', { page: 'code' }],
    ['/code/', { page: 'code' }],
    ['/open', { page: 'open' }],
    ['/here/code', { page: 'server' }],
    ['/here/notices', { page: 'server' }],
    ['/here/open', { page: 'server' }],
    ['/me', { page: 'me' }],
    ['/here/me', { page: 'server' }],
    ['/who', { page: 'who', word: null }],
    ['/who/a-word', { page: 'who', word: 'a-word' }],
    ['/who/a-word/else', { page: 'lost' }],
    ['/here/who', { page: 'server' }],
    ['/new/mycity', { page: 'new', game: 'mycity' }],
    ['/t/aB-_9', { page: 'table', table: 'aB-_9' }],
    ['/t/a%2Fb', { page: 'table', table: 'a/b' }],
    ['/t/x/replay/0', { page: 'replay', table: 'x', match: 0 }],
    ['/t/x/review/3', { page: 'review', table: 'x', match: 3 }],
    ['/t/x/replay/12', { page: 'replay', table: 'x', match: 12 }],
    ['/t/x/print/2', { page: 'print', table: 'x', match: 2 }],
    ['/print/rollwrite/7', { page: 'paper', game: 'rollwrite', episode: 7 }],
    ['/t/x/campaign', { page: 'campaign', table: 'x' }],
    ['/t/x/again', { page: 'again', table: 'x' }],
    ['/here', { page: 'home' }],
    ['/here/t/x', { page: 'table', table: 'x' }],
    ['/hereafter', { page: 'lost' }],
  ])('%s', (path, route) => expect(parseRoute(path)).toEqual(route));

  it.each([
    '/t',
    '/new',
    '/t/x/replay',
    '/t/x/replay/one',
    '/t/x/y',
    '/code/x',
    '/elsewhere',
    '/t/x/replay/1/2',
    '/print/rollwrite',
    '/print/x/y',
  ])('%s is not found', (path) => expect(parseRoute(path)).toEqual({ page: 'lost' }));

  it('keep a broken escape', () => expect(parseRoute('/t/%E0%A4%A')).toEqual({ page: 'table', table: '%E0%A4%A' }));

  it.each([
    { page: 'home' },
    { page: 'new', game: 'my city' },
    { page: 'table', table: 'a/b' },
    { page: 'replay', table: 'x', match: 3 },
    { page: 'print', table: 'x', match: 3 },
    { page: 'paper', game: 'my city', episode: 3 },
    { page: 'campaign', table: 'a/b' },
    { page: 'again', table: 'x' },
    { page: 'code' },
    { page: 'open' },
    { page: 'me' },
    { page: 'who', word: null },
    { page: 'who', word: 'a-word' },
  ] as const)('are parsed back: $page', (route) => expect(parseRoute(address(route))).toEqual(route));
});

describe('the position of a replay', () => {
  it.each([
    ['#7', 20, 7],
    ['', 20, 0],
    ['#99', 20, 19],
    ['#-1', 20, 0],
    ['#main', 20, 0],
    ['#3', 0, 0],
  ])('%s of %i', (hash, frames, expected) => expect(frameOfHash(hash, frames)).toBe(expected));
});
