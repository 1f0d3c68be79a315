import type { Cell } from '../../board/geometry/cells';
import { openBook } from '../../i18n/books.svelte';
import type words from '../../i18n/en/books/about-building.json';
import { number, signed, t } from '../../i18n/index.svelte';
import type { ThingExplanation, ExplainRequest, Explainer, ExplainContext, Shortcut } from '../types';
import { cellsOf, type Action, type PlacingTable } from './table';
import { PLACING_THINGS } from './things';
import { pointDifference } from './turn.svelte';

type Words = typeof words;

declare module '../../i18n/types' {
  interface English extends Words {}
}

/** Things with the same explanation in all placing games; cells and lines differ by game. */
type SharedKind = Exclude<(typeof PLACING_THINGS)[number], 'cell' | 'line'>;

/** The rules behind things; each game has its own ids. */
export type RulesOfThings<Own extends string> = Readonly<Partial<Record<SharedKind, string>> & Record<Own, string>>;

/** The explanations of a game: of its cells and lines, and of things that only its table has. */
interface OwnWords<Table extends PlacingTable, Own extends string> {
  readonly rules: RulesOfThings<Own>;
  readonly cell: (asked: ExplainRequest, game: ExplainContext, table: Table) => ThingExplanation;
  readonly line: (asked: ExplainRequest, table: Table) => ThingExplanation;
  readonly own: (
    asked: ExplainRequest & { readonly kind: Own },
    game: ExplainContext,
    table: Table,
  ) => ThingExplanation;
}

export async function openExplanationTexts(): Promise<void> {
  await openBook('about-building');
}

/** Returns a function that explains every thing at the table of a game. */
export function makeExplain<Table extends PlacingTable, Own extends string>(
  words: OwnWords<Table, Own>,
): Explainer['explain'] {
  const isOwn = (kind: string): kind is Own => Object.hasOwn(words.rules, kind);
  return (asked, game) => {
    const { kind } = asked;
    const { table } = game.view as { readonly table: Table };
    if (kind === 'cell') return words.cell(asked, game, table);
    if (kind === 'line') return words.line(asked, table);
    if (isSharedKind(kind)) return explainShared({ ...asked, kind }, game, table, words.rules[kind]);
    return isOwn(kind) ? words.own({ ...asked, kind }, game, table) : undefined;
  };
}

function isSharedKind(kind: string): kind is SharedKind {
  return (PLACING_THINGS as readonly string[]).includes(kind);
}

async function explainShared(
  { kind, seat }: ExplainRequest & { readonly kind: SharedKind },
  game: ExplainContext,
  table: PlacingTable,
  rule: string | undefined,
): Promise<ThingExplanation> {
  return {
    title: kind === 'player' ? (game.names[seat] ?? '') : t(`about.building.${kind}.title`),
    text: t(`about.building.${kind}`),
    now: await nowOf(kind, seat, game, table),
    rule,
  };
}

async function nowOf(
  kind: SharedKind,
  seat: number,
  game: ExplainContext,
  table: PlacingTable,
): Promise<readonly string[]> {
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

async function priceOf({ choices, preview }: ExplainContext): Promise<string> {
  if (!(choices as readonly Action[]).some(({ type }) => type === 'pass')) return t('about.building.pass.no');
  const { changes } = await preview({ type: 'pass' });
  return t('about.building.pass.now', { points: signed(pointDifference(changes)) });
}

function placeOf({ result }: PlacingTable, seat: number): readonly string[] {
  const count = result.scores[seat] ?? 0;
  const rank = result.ranks[seat] ?? 1;
  return [t('about.building.standing', { count, rank, of: result.scores.length })];
}

/** Returns the current count of a line of the score sheet. */
export function lineNow(table: PlacingTable, seat: number, line: string): readonly string[] {
  const entry = table.result.sheets[seat]?.find((other) => other.line === line);
  if (!entry) return [];
  return [t('about.building.line', { count: number(entry.count), points: signed(entry.points) })];
}

/** The context of a cell: the lines that count it, its ground and its building. */
export interface InSight {
  readonly lines: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly ground: string;
  /** Whether a building covers it. */
  readonly built: boolean;
}

/** Returns the current value of a cell: its own, its part of the lines, and its value for the building in hand. */
export function cellNow(
  table: PlacingTable,
  { seat, which: cell }: ExplainRequest,
  game: ExplainContext,
  { lines, ground, built }: InSight,
  lineName: (line: string) => string,
): readonly string[] {
  const sheet = table.result.sheets[seat] ?? [];
  const speaking = sheet.filter(({ line }) => table.cities[seat]?.counted[line]?.includes(cell));
  const own = built ? 0 : speaking.reduce((sum, { line }) => sum + (lines[line]?.[ground] ?? 0), 0);
  return [
    ...(own ? [t('about.building.cell.own', { count: Math.abs(own), points: signed(own) })] : []),
    ...speaking.map(({ line, points }) =>
      t('about.building.cell.line', { line: lineName(line), points: signed(points) }),
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
