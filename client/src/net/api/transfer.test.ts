import { beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../backend';
import { setBackend } from '../currentBackend';
import { SERVER } from '../serverBackend';
import { table } from '../table/fakeServer';
import {
  moveToServer,
  keepInBrowser,
  MAX_IMPORT_BYTES,
  InvalidGameFile,
  importGame,
  isServerBehindPage,
} from './transfer';

const left = vi.hoisted(() => vi.fn());
vi.mock('../local/importInbox', () => ({ leaveImport: left }));

const record = { format: 'polyopolis/1' };
const asked = vi.fn<(path: string, body?: object) => Promise<unknown>>();

beforeEach(() => {
  vi.restoreAllMocks();
  asked.mockReset().mockResolvedValue(record);
  setBackend({ request: asked as never, connect: () => expect.fail() });
});

it('imports a game of this browser on the server', async () => {
  const server = vi.spyOn(SERVER, 'request').mockResolvedValue({ table: 'there' });
  const info = table({ table: 'here', luck: 'typed' });
  expect([await moveToServer(info, 2), await moveToServer(info, null)]).toEqual(['there', 'there']);
  expect(asked.mock.calls.map(([path]) => path)).toEqual([
    '/tables/here/matches/2/record',
    '/tables/here/campaign.json',
  ]);
  expect(server.mock.calls[0]).toEqual(['/imports', { record, luck: 'typed' }]);
});

it('leaves a game of the server for the local backend', async () => {
  const info = table({ table: 't' });
  await keepInBrowser(info, 0);
  await keepInBrowser(info, null);
  expect(left.mock.calls.map(([name]: unknown[]) => name)).toEqual(['t-0', 't']);
  expect(left).toHaveBeenCalledWith('t-0', { record, luck: info.luck });
});

it('imports games from files, and rejects other files', async () => {
  asked.mockResolvedValue({ table: 'new' });
  expect(await importGame(new Blob([JSON.stringify(record)]))).toBe('new');
  expect(asked).toHaveBeenCalledExactlyOnceWith('/imports', { record });
  for (const text of ['', '{', '[]', 'null', '{"format": 1}', '{"format": "chess/1"}'])
    await expect(importGame(new Blob([text]))).rejects.toEqual(new InvalidGameFile('other'));
  await expect(importGame(new Blob(['x'.repeat(MAX_IMPORT_BYTES + 1)]))).rejects.toEqual(new InvalidGameFile('large'));
});

it.each([
  ['a server', { version: '1' }, true],
  ['a page for every address', null, false],
  ['a static host', new ApiError(404, ''), false],
  ['a missing connection', new ApiError(0, ''), null],
])('recognizes %s', async (_, said, answers) => {
  vi.spyOn(SERVER, 'request').mockImplementation(() =>
    said instanceof ApiError ? Promise.reject(said) : Promise.resolve(said as never),
  );
  expect(await isServerBehindPage()).toBe(answers);
});
