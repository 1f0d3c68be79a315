import { siteInfo, loadSiteInfo } from '../lib/site/siteInfo.svelte';
import { NAMELESS } from '../lib/text/displayNames';
import { api } from '../net/api/api';
import type { CreateTable } from '../wire/server';
import { loadGuideData } from './guideIndex';
import { openGuideAt } from './guideStorage.svelte';
import type { GuideData, Offer } from './types';

/** Creates a table with a guide and returns its address. */
export async function startGuide(game: string, name: string): Promise<string> {
  const { table } = await loadGuideData(game, name);
  const made = await api.create(await tableRequest(game, table, table.seed));
  openGuideAt(made.table, `${game}/${name}`);
  return made.table;
}

/** Creates the table that is offered after a guide: another match with unknown luck. */
export async function createFollowingTable(
  game: string,
  { table }: GuideData,
  { setup, bot }: Offer['play'] & object,
): Promise<string> {
  const next = { ...table, setup: setup ?? table.setup, bot: bot ?? table.bot };
  return (await api.create(await tableRequest(game, next, null))).table;
}

async function tableRequest(game: string, table: GuideData['table'], seed: string | null): Promise<CreateTable> {
  const { name } = siteInfo() ?? (await loadSiteInfo());
  const bots = Array.from({ length: table.seats - 1 }, () => ({ type: 'bot', bot: table.bot }) as const);
  return { game, setup: table.setup, seats: [{ type: 'me', name: name ?? NAMELESS }, ...bots], seed };
}
