/** Games that go from one house to the other: brought from this browser to the server, kept from there, out of a file. */
import type { Hello, Import, TableInfo } from '../../wire/server';
import { ApiError } from '../backend';
import { leaveImport } from '../local/importInbox';
import { SERVER } from '../serverBackend';
import { api } from './api';

/** What a server takes at once, in bytes. */
export const MAX_IMPORT_BYTES = 1024 * 1024;

/** A match of a table, or with `null` the whole campaign there. */
export type MatchOrCampaign = number | null;

/** A file cannot be a game: it is too large, or it is something else. */
export class InvalidGameFile extends Error {
  constructor(readonly why: 'large' | 'other') {
    super(why);
  }
}

async function exportOf({ table, luck }: TableInfo, which: MatchOrCampaign): Promise<Import> {
  return { record: await (which === null ? api.campaignFile(table) : api.record(table, which)), luck };
}

/** A game of this browser becomes a table on the server that the page came from: that table's name. */
export async function moveToServer(info: TableInfo, which: MatchOrCampaign): Promise<string> {
  return (await SERVER.request<{ table: string }>('/imports', await exportOf(info, which))).table;
}

/** A game of the server is kept in this browser for the house of its own pages. */
export async function keepInBrowser(info: TableInfo, which: MatchOrCampaign): Promise<void> {
  await leaveImport([info.table, ...(which === null ? [] : [which])].join('-'), await exportOf(info, which));
}

/** A game out of a file becomes a table of the house that this page speaks with: that table's name. */
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

/** Whether the page came from a server: a folder of files answers, but not like one. Null while nobody answers. */
export async function isServerBehindPage(): Promise<boolean | null> {
  try {
    return (await SERVER.request<Partial<Hello> | null>('/hello'))?.version !== undefined;
  } catch (error) {
    return error instanceof ApiError && error.status === 0 ? null : false;
  }
}
