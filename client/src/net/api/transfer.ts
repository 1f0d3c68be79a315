/**
 * Transfers games between backends: from this browser to the server, from the server to this browser, and from a
 * file.
 */
import type { SiteInfo, Import, TableInfo } from '../../wire/server';
import { ApiError } from '../backend';
import { leaveImport } from '../local/importInbox';
import { SERVER } from '../serverBackend';
import { api } from './api';

/** The largest import that a server accepts. */
export const MAX_IMPORT_BYTES = 1024 * 1024;

/** The number of a match at a table; `null` is the whole campaign. */
export type MatchOrCampaign = number | null;

/** A file is no game: it is too large or has another format. */
export class InvalidGameFile extends Error {
  constructor(readonly why: 'large' | 'other') {
    super(why);
  }
}

async function exportOf({ table, luck }: TableInfo, which: MatchOrCampaign): Promise<Import> {
  return { record: await (which === null ? api.campaignFile(table) : api.record(table, which)), luck };
}

/** Imports a game of this browser on the server that delivered the page. Returns the id of the new table. */
export async function moveToServer(info: TableInfo, which: MatchOrCampaign): Promise<string> {
  return (await SERVER.request<{ table: string }>('/imports', await exportOf(info, which))).table;
}

/** Leaves a game of the server for the local backend of this browser. */
export async function keepInBrowser(info: TableInfo, which: MatchOrCampaign): Promise<void> {
  await leaveImport([info.table, ...(which === null ? [] : [which])].join('-'), await exportOf(info, which));
}

/** Imports a game from a file into the current backend. Returns the id of the new table. */
export async function importGame(file: Blob): Promise<string> {
  if (file.size > MAX_IMPORT_BYTES) throw new InvalidGameFile('large');
  return (await api.importGame({ record: parseGameFile(await file.text()) })).table;
}

function parseGameFile(text: string): Record<string, unknown> {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch {
    throw new InvalidGameFile('other');
  }
  if (typeof found === 'object' && found && 'format' in found && String(found.format).startsWith('polyopolis'))
    return found;
  throw new InvalidGameFile('other');
}

/**
 * Whether a server delivered the page. A static host answers, but with another response. Null if there is no
 * connection.
 */
export async function isServerBehindPage(): Promise<boolean | null> {
  try {
    return (await SERVER.request<Partial<SiteInfo> | null>('/hello'))?.version !== undefined;
  } catch (error) {
    return error instanceof ApiError && error.status === 0 ? null : false;
  }
}
