import type { Cell } from '../../board/cells';
import { openBook } from '../../i18n/books.svelte';
import type words from '../../i18n/en/books/about-building.json';
import { language, number, t } from '../../i18n/index.svelte';
import type { Answer, Asked, Scenery, Shortcut } from '../types';
import { cellsOf, type Action, type BuildingTable } from './table';
import type { BUILDING_THINGS } from './things';
import { difference } from './turn.svelte';
import { plainPoints, signed } from './words';

type Words = typeof words;

declare module '../../i18n/types' {
  interface English extends Words {}
}

/** The things that are alike in all games in which buildings are placed; cells and lines are each game's own. */
type Alike = Exclude<(typeof BUILDING_THINGS)[number], 'cell' | 'line'>;

const ALIKE: readonly Alike[] = [
  'piece',
  'turn',
  'mirror',
  'pass',
  'stop',
  'build',
  'decline',
  'take-back-decision',
  'player',
  'score',
  'total',
];

/** The rules that games say in their own words, and number in their own way. */
export type RulesOfThings = Readonly<Partial<Record<string, string>>>;

export async function openWords(): Promise<void> {
  await openBook('about-building');
}

export function isAlike(kind: string): kind is Alike {
  return (ALIKE as readonly string[]).includes(kind);
}

export async function explainAlike(
  { kind, seat }: Asked & { readonly kind: Alike },
  game: Scenery,
  table: BuildingTable,
  rules: RulesOfThings,
): Promise<Answer> {
  return {
    title: kind === 'player' ? (game.names[seat] ?? '') : t(`about.building.${kind}.title`),
    text: t(`about.building.${kind}`),
    now: await nowOf(kind, seat, game, table),
    rule: rules[kind],
  };
}

async function nowOf(kind: Alike, seat: number, game: Scenery, table: BuildingTable): Promise<readonly string[]> {
  const choices = game.choices as readonly Action[];
  switch (kind) {
    case 'piece':
    case 'build':
      return choices.length ? [t('about.building.places', { count: covering(choices).length })] : [];
    case 'pass':
      return choices.length ? [await priceOf(game)] : [];
    case 'player':
    case 'score':
    case 'total':
      return placeOf(table, seat);
    default:
      return [];
  }
}

function covering(choices: readonly Action[]): readonly Action[] {
  return choices.filter((choice) => cellsOf(choice).length > 0);
}

async function priceOf({ choices, preview }: Scenery): Promise<string> {
  if (!(choices as readonly Action[]).some(({ type }) => type === 'pass')) return t('about.building.pass.no');
  const { changes } = await preview({ type: 'pass' });
  return t('about.building.pass.now', { points: signed(difference(changes), language()) });
}

function placeOf({ result }: BuildingTable, seat: number): readonly string[] {
  const points = plainPoints(result.scores[seat] ?? 0, language());
  const rank = result.ranks[seat] ?? 1;
  return [t('about.building.standing', { points, rank, of: result.scores.length })];
}

/** A line of the score sheet: what it counts now. */
export function lineNow(table: BuildingTable, seat: number, line: string): readonly string[] {
  const found = table.result.sheets[seat]?.find((other) => other.line === line);
  if (!found) return [];
  return [t('about.building.line', { count: number(found.count), points: signed(found.points, language()) })];
}

/** What a cell brings or costs, by the lines that speak of it. */
export interface InSight {
  readonly lines: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly ground: string;
  /** A building stands on it. */
  readonly built: boolean;
}

/** What a cell is worth to its owner now: for itself, by the lines that speak of it, and to the building in hand. */
export function cellNow(
  table: BuildingTable,
  { seat, which: cell }: Asked,
  game: Scenery,
  { lines, ground, built }: InSight,
  lineName: (line: string) => string,
): readonly string[] {
  const sheet = table.result.sheets[seat] ?? [];
  const speaking = sheet.filter(({ line }) => table.cities[seat]?.counted[line]?.includes(cell));
  const own = built ? 0 : speaking.reduce((sum, { line }) => sum + (lines[line]?.[ground] ?? 0), 0);
  return [
    ...(own ? [t('about.building.cell.own', { count: Math.abs(own), points: signed(own, language()) })] : []),
    ...speaking.map(({ line, points }) =>
      t('about.building.cell.line', { line: lineName(line), points: signed(points, language()) }),
    ),
    ...(seat === game.seat && !built ? fitting(game.choices as readonly Action[], cell) : []),
  ];
}

function fitting(choices: readonly Action[], cell: Cell): readonly string[] {
  if (!choices.length) return [];
  const ways = choices.filter((choice) => cellsOf(choice).includes(cell)).length;
  return [ways ? t('about.building.cell.ways', { count: ways }) : t('about.building.cell.none')];
}

export function shortcuts(mirrors: boolean): readonly Shortcut[] {
  return [
    { keys: t('about.building.key.tap'), does: t('about.building.key.tap.does') },
    { keys: t('about.building.key.drag'), does: t('about.building.key.drag.does') },
    { keys: 'R', does: t('about.building.key.turn.does') },
    { keys: t('about.building.key.fingers'), does: t('about.building.key.turn.does') },
    ...(mirrors ? [{ keys: 'M', does: t('about.building.key.mirror.does') }] : []),
    { keys: t('about.building.key.arrows'), does: t('about.building.key.arrows.does') },
    { keys: t('about.building.key.enter'), does: t('about.building.key.enter.does') },
    { keys: t('about.building.key.escape'), does: t('about.building.key.escape.does') },
  ];
}
