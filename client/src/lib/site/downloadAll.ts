import { accounts, fetchFile } from '../../net/api/accounts';
import { ApiError } from '../../net/backend';
import type { PersonalData, OwnTable } from '../../wire/accounts';
import { zipFiles, type ZipEntry } from './zip';

export interface Progress {
  done: number;
  all: number;
  /** The server has asked for a pause. */
  waits: boolean;
}

interface Download {
  file: Blob;
  /** The number of games that could not be read. */
  missing: number;
}

/** The server limits the rate of expensive requests. */
const MAX_PAUSE_SECONDS = 120;

/** Returns all data of the account as one file; null if it was stopped. */
export async function downloadAll(
  settings: unknown,
  tell: (progress: Progress) => void,
  stopped: () => boolean,
): Promise<Download | null> {
  const belonging = await accounts.belongings();
  const wanted = belonging.tables.flatMap(recordPaths);
  const files: ZipEntry[] = [about(belonging, settings)];
  let missing = 0;
  for (const [done, { path, name }] of wanted.entries()) {
    if (stopped()) return null;
    tell({ done, all: wanted.length, waits: false });
    const data = await fetchWithRetries(path, () => tell({ done, all: wanted.length, waits: true }));
    if (data) files.push({ name, data });
    else missing++;
  }
  tell({ done: wanted.length, all: wanted.length, waits: false });
  return { file: zipFiles(files), missing };
}

/** A campaign is one file, other matches are one file each. */
export function recordPaths({ table, game, campaign, matches }: OwnTable): { path: string; name: string }[] {
  if (!matches) return [];
  const path = `/tables/${encodeURIComponent(table)}`;
  if (campaign) return [{ path: `${path}/campaign.json`, name: `${game}/${table}-campaign.json` }];
  return Array.from({ length: matches }, (_, number) => ({
    path: `${path}/matches/${number}/record`,
    name: `${game}/${table}-${number}.json`,
  }));
}

function about({ me, tables, who, remarks }: PersonalData, settings: unknown): ZipEntry {
  const { name, mails, devices, passkeys } = me;
  const content = JSON.stringify({ name, mails, devices, passkeys, tables, who, remarks, settings }, null, 2);
  return { name: 'polyopolis.json', data: new TextEncoder().encode(content) };
}

/** Repeats a request that the server defers; null if the game cannot be read. */
async function fetchWithRetries(path: string, pause: () => void): Promise<Uint8Array | null> {
  for (;;) {
    try {
      return await fetchFile(path);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) throw error;
      if (error.status !== 429) return null;
      pause();
      await new Promise((resume) => setTimeout(resume, Math.min(error.wait || 1, MAX_PAUSE_SECONDS) * 1000));
    }
  }
}
